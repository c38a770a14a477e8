#include "verdict/grade.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <utility>

#include "grader/guard.h"
#include "headlight/core/check.h"
#include "headlight/system/crash.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "verdict/calls.h"
#include "verdict/verdict_line.h"

namespace headlight::grader {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A folder beside the checker, so that none is left elsewhere when this process is stopped.
fs::path empty_folder(const fs::path& checker) {
  fs::path folder = checker.string() + ".folder";
  std::error_code error;
  fs::remove_all(folder, error);
  check(!error, "cannot empty the folder '{}': {}.", folder.string(), error.message());
  make_folder(folder);
  return folder;
}

// What only this process and its checker know, so that nothing that the learner's code prints is a verdict.
std::string drawn_word() {
  std::random_device draw;
  return fmt::format("{:08x}{:08x}", draw(), draw());
}

// The lines of the file that the addresses are from, without those that are from elsewhere.
std::vector<int> lines_of(const std::vector<std::string>& addresses, const Grading& grading) {
  std::vector<int> lines;
  if (addresses.empty()) return lines;
  Command ask{.words = {"addr2line", "-i", "-e", grading.checker.string()}};
  ask.words.insert(ask.words.end(), addresses.begin(), addresses.end());
  ask.limit = std::chrono::seconds(10);
  const std::string name = grading.learners_file.filename().string() + ":";
  std::istringstream places(grading.run(ask).output);
  for (std::string place; std::getline(places, place);) {
    const auto at = place.rfind(name);
    if (at == 0 || (at != std::string::npos && place[at - 1] == '/'))
      lines.push_back(std::atoi(place.c_str() + at + name.size()));
  }
  return lines;
}

// Whether malloc or free found that something was written outside of an array, which may be long ago.
bool found_damage(const std::string& errors) {
  constexpr std::array kFound{
      "malloc(): ", "malloc_consolidate(): ",   "free(): ", "realloc(): ", "munmap_chunk(): ",
      "corrupted ", "double free or corruption"};
  return std::ranges::any_of(kFound,
                             [&](const char* words) { return errors.find(words) != std::string::npos; });
}

constexpr const char* kWroteOutside = "it wrote outside of an array (an index out of range)";

constexpr std::array kAssertions{": Assertion '", ": libc++ Hardening assertion "};

std::size_t assertion_in(const std::string& line) {
  for (const char* words : kAssertions)
    if (const auto at = line.find(words); at != std::string::npos) return at;
  return std::string::npos;
}

// What libstdc++ and libc++ say when a rule of the standard library is broken.
std::string in_words_of_rule(std::string assertion) {
  const auto has = [&](const char* words) { return assertion.find(words) != std::string::npos; };
  if (has("__n < this->size()") || has("vector[] index out of bounds"))
    return "an index is out of range: a vector of n numbers has those from 0 to n - 1";
  if (has("!this->empty()") || has("called on an empty vector"))
    return "it took the first or the last number of a vector that has none";
  while (assertion.ends_with('.')) assertion.pop_back();
  return "it broke a rule of the standard library: " + assertion;
}

// What the learner's code wrote to standard error: without what an assertion did, which is in the message.
std::string own_errors(const std::string& errors) {
  std::istringstream text(errors);
  std::string own;
  for (std::string line; std::getline(text, line);)
    if (!line.empty() && assertion_in(line) == std::string::npos) own += line + "\n";
  return own;
}

// What the standard library's assertions and std::terminate write: the last line that says something.
std::string last_words(const std::string& errors) {
  std::istringstream text(errors);
  std::string words;
  for (std::string line; std::getline(text, line);) {
    const auto at = assertion_in(line);
    if (at != std::string::npos) return in_words_of_rule(line.substr(at + 2));
    if (!line.empty()) words = line;
  }
  return words.empty() ? "it called abort()" : "it called abort(): " + words;
}

std::string in_words(const Crash& crash, int signal, const std::string& errors) {
  if (crash.stack_is_full) return "its stack is full (most often a function calls itself without end)";
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "it read or wrote memory that is not its own (an index out of range, or a null pointer)";
    case SIGFPE:
      return "it divided a whole number by zero";
    case SIGILL:
    case SIGTRAP:
      return "it ran into an instruction that is none (a function may end without return)";
    case SIGABRT:
      return found_damage(errors) ? kWroteOutside : last_words(errors);
    case SIGXFSZ:
      return "it wrote to a file, which an exercise may not do";
    case SIGKILL:
      return "it was killed, by itself or by the system, which does so when memory is short";
    default:
      return fmt::format("signal {} ended it", signal);
  }
}

// A process that does not end by SIGXCPU is killed soon after, and one may also be killed for another reason.
bool ran_out_of_time(const Ended& ended, int signal, const Grading& grading, Clock::duration took) {
  return ended.timed_out || signal == SIGXCPU || (signal == SIGKILL && took >= grading.cpu);
}

// Of waiting, for code that sleeps: other processes may take most of the time.
std::chrono::seconds limit_of(const Grading& grading) { return 6 * grading.cpu + grading.most_cpu; }

// How the call ended in which the process came to its end.
void describe_end(const Ended& ended, const Grading& grading, Clock::duration took, Verdict& verdict) {
  const Crash crash = reported_crash(ended.errors).value_or(Crash{});
  const int signal = ended.signal.value_or(0);
  const std::vector<int> lines = lines_of(crash.addresses, grading);
  verdict.line = lines.empty() ? 0 : lines.front();
  if (ran_out_of_time(ended, signal, grading, took)) {
    verdict.kind = Kind::endless;
    verdict.message = fmt::format("it was stopped after {} seconds of {}",
                                  (ended.timed_out       ? limit_of(grading)
                                   : verdict.seconds > 0 ? std::chrono::seconds(verdict.seconds)
                                                         : grading.cpu)
                                      .count(),
                                  ended.timed_out ? "waiting" : "computing");
    return;
  }
  if (signal == SIGABRT && ended.errors.find("std::bad_alloc") != std::string::npos) {
    verdict.kind = Kind::memory;
  } else {
    verdict.mistake.reset();  // it took neither too long nor too much
    verdict.kind = Kind::crashed;
    verdict.message = signal == 0 ? fmt::format("it ended the program (exit {})", ended.status)
                                  : in_words(crash, signal, without_crash(ended.errors));
    const bool is_deep = !lines.empty() && lines.back() != lines.front() && !crash.stack_is_full;
    if (is_deep) verdict.message += fmt::format("; line {} led there", lines.back());
  }
}

// A run of the checker: what it says of the parts that it came to.
struct Run {
  std::map<std::size_t, Verdict> of_parts;
  Verdict last;         // of them, or of a program that ended before the first
  bool damage = false;  // of memory
};

void describe_last(const Ended& ended, const Grading& grading, Clock::duration took, std::string printed,
                   Run& run) {
  Verdict& last = run.last;
  describe_end(ended, grading, took, last);
  run.damage = last.message.starts_with(kWroteOutside);
  last.printed = printed.empty() ? own_errors(without_crash(ended.errors)) : std::move(printed);
  if (!run.of_parts.empty()) run.of_parts[last.part] = last;
}

Run run_checker(const Grading& grading, std::size_t first, bool guarded) {
  const fs::path checker = fs::absolute(grading.checker);
  const std::string word = drawn_word();
  Command command{.words = {checker.string(), "--follow", word, std::to_string(first)},
                  .folder = empty_folder(checker)};
  if (grading.part) command.words.push_back(std::to_string(first + 1));
  if (guarded) command.environment = {{kGuardVariable, "1"}};
  command.confined = Confinement{grading.cpu, grading.memory, false, grading.most_cpu};
  Follower follower(word, grading.progress);
  command.on_output = [&](std::string_view piece) { follower.read(piece); };
  command.limit = limit_of(grading);
  command.most_output = std::size_t{16} << 20;
  const Clock::time_point begin = Clock::now();
  const Ended ended = grading.run(command);
  Run run{follower.of_parts(), {}};
  run.last.kind = Kind::running;  // it may end before its first word
  if (follower.last()) run.last = *follower.last();
  if (run.last.kind == Kind::running)
    describe_last(ended, grading, Clock::now() - begin, follower.printed(), run);
  const auto add_line = [&](Verdict& verdict) {
    if (verdict.kind != Kind::threw) return;
    const std::vector<int> lines = lines_of(verdict.thrown_at, grading);
    verdict.line = lines.empty() ? 0 : lines.front();
  };
  add_line(run.last);
  for (auto& [part, verdict] : run.of_parts) add_line(verdict);
  return run;
}

// The same, and where memory was damaged once more, so that the line is found that did it.
Run run_until_the_line_is_known(const Grading& grading, std::size_t first) {
  Run run = run_checker(grading, first, false);
  if (!run.damage) return run;
  Run again = run_checker(grading, first, true);
  if (again.last.kind != Kind::crashed || again.last.line == 0) {
    again = std::move(run);
    again.last.line = 0;  // where the damage was found
    again.last.printed.clear();
  }
  again.last.message = kWroteOutside;
  if (!again.of_parts.empty()) again.of_parts[again.last.part] = again.last;
  return again;
}

// What a part computes with the function that it is to write is no solution.
void refuse_forbidden_calls(const std::string& source, Verdict& verdict) {
  const Verdict::PartState& part = verdict.parts[verdict.part];
  if (verdict.kind == Kind::not_written) return;
  const auto call = forbidden_call(source, part.name, part.not_called);
  if (!call) return;
  Verdict refused;
  refused.lesson = verdict.lesson, refused.parts = verdict.parts, refused.part = verdict.part;
  refused.kind = Kind::refused;
  refused.message = fmt::format("Line {} uses {}, which this part may not: it is to do that work itself.",
                                call->line, call->name);
  verdict = std::move(refused);
}

// Of each wrong part that calls another wrong one: which.
void mark_what_follows(const std::string& source, std::vector<Verdict>& all) {
  for (Verdict& verdict : all) {
    if (!verdict.is_wrong()) continue;
    const std::set<std::string> called = own_calls(source, verdict.parts[verdict.part].name);
    const auto cause = std::ranges::find_if(all, [&](const Verdict& each) {
      return each.part != verdict.part && each.is_wrong() && called.contains(each.parts[each.part].name);
    });
    if (cause != all.end()) verdict.parts[verdict.part].after = cause->part;
  }
}

// A checker names the mistake of the first wrong part; those of others each take a run of their own.
void name_others(const Grading& grading, std::vector<Verdict>& all) {
  const auto first = std::ranges::find_if(all, &Verdict::is_wrong);
  for (auto verdict = first; verdict != all.end(); ++verdict) {
    if (verdict == first || !verdict->is_wrong() || verdict->parts[verdict->part].after) continue;
    Grading alone = grading;
    alone.part = verdict->part;
    const Run run = run_until_the_line_is_known(alone, verdict->part);
    if (const auto found = run.of_parts.find(verdict->part); found != run.of_parts.end())
      verdict->mistake = found->second.mistake;
  }
}

}  // namespace

Verdict grade(const Grading& grading) {
  check(fs::exists(grading.checker), "there is no checker '{}'.", grading.checker.string());
  std::vector<Verdict> all;
  std::size_t next = grading.part.value_or(0);
  for (;;) {
    const Run run = run_until_the_line_is_known(grading, next);
    if (run.of_parts.empty() && all.empty()) return run.last;
    for (const auto& [part, verdict] : run.of_parts) all.push_back(verdict);
    next = all.back().part + 1;
    if (run.of_parts.empty() || grading.part || next >= all.back().parts.size()) break;
  }
  for (Verdict& verdict : all)
    if (verdict.kind == Kind::memory)
      verdict.message = fmt::format("it asked for more than {} MB", grading.memory >> 20);
  const std::string source = fs::exists(grading.learners_file) ? read_file(grading.learners_file) : "";
  for (Verdict& verdict : all) refuse_forbidden_calls(source, verdict);
  mark_what_follows(source, all);
  if (grading.name_all) name_others(grading, all);
  return whole_verdict(all);
}

}  // namespace headlight::grader
