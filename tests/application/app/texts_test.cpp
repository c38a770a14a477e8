// All texts of the commands and of the tasks, against those that were read and kept beside this file.
#include <fmt/core.h>

#include <set>
#include <sstream>

#include "app/output/task_text.h"
#include "headlight/system/text.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/grammar.h"
#include "headlight/tasks/text.h"
#include "program.h"
#include "tasks/posed.h"

using namespace headlight;
using namespace headlight::app;

namespace {

const std::vector<std::string> kShipped = tasks::registry().names();  // before other tests add theirs

// When a text was changed on purpose, the new file is copied over the old one.
void check_kept(const std::string& text, const std::string& name) {
  const std::string kept = HEADLIGHT_SOURCE_DIR "/tests/application/app/" + name,
                    now = HEADLIGHT_BINARY_DIR "/" + name;
  if (text == read_file(kept)) return;
  write_file(now, text);
  const std::vector<std::string> lines = text_lines(text), before = text_lines(read_file(kept));
  std::size_t first = 0;
  while (first < std::min(lines.size(), before.size()) && lines[first] == before[first]) ++first;
  FAIL(kept << " differs from " << now << " in line " << first + 1 << ": "
            << (first < lines.size() ? lines[first] : "it ends there"));
}

tasks::Task text_of_a_grammar() {
  return tasks::text_task({.name = "text", .n_ctx = 48}, tasks::grammar_text(3000, 1), "it");
}

std::string with_single_spaces(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

// The sequences of a task, each drawn from a stream of its own.
std::string samples_of(const tasks::Task& task) {
  std::string text;
  for (const auto& [kind, generator] : {std::pair{"as trained on", &task.training},
                                        {"held out", &task.held_out},
                                        {"for scores", &task.scored}}) {
    if (!*generator) continue;
    const tasks::Sequence s = tasks::draw_sequence(task, *generator, Rng(1), 0);
    text += fmt::format("\n{}: {}", kind, sample_text(task, s, draw::ColorMode::none, 79));
  }
  return text;
}

}  // namespace

TEST_CASE("the overview is as it was kept", "[program]") {
  check_kept(headlight_program("", "COLUMNS=100").out, "overview.txt");
}

// help.txt has "$ command", and then what must stand in its help, in this order: each flag, what it does, and
// the lines below the flags. Spaces, and what CLI11 writes between them, differ between its versions.
TEST_CASE("every command's help has the kept texts in order", "[program]") {
  std::set<std::string> missing;  // commands of which nothing is kept
  const std::string overview = headlight_program("").out;
  constexpr std::string_view kBefore = "\n  ./headlight ";
  for (std::size_t at = 0; (at = overview.find(kBefore, at)) != std::string::npos;) {
    at += kBefore.size();
    const std::string command = overview.substr(at, overview.find(' ', at) - at);
    if (headlight_program(command + " --help").out != overview) missing.insert(command);
  }
  std::string help;
  std::size_t at = 0;
  for (const std::string& line :
       text_lines(read_file(HEADLIGHT_SOURCE_DIR "/tests/application/app/help.txt"))) {
    INFO(line);
    if (line.starts_with("$ ")) {
      missing.erase(line.substr(2));
      help = with_single_spaces(headlight_program(line.substr(2) + " --help").out);
      at = 0;
    } else {
      const std::size_t found = help.find(line, at);
      REQUIRE(found != std::string::npos);
      at = found + line.size();
    }
  }
  CHECK(missing.empty());
}

TEST_CASE("every task's words and sequences are as they were kept", "[program]") {
  std::string all = list_of_tasks();
  for (const std::string& name : kShipped)
    for (const bool with_source : {false, true}) {
      const tasks::Task task =
          name == "text" ? text_of_a_grammar() : tasks::make_task(tasks::posed(name, with_source));
      if (with_source && task.n_source == 0) continue;
      all += fmt::format("\n\n## {}{}\n\n{}scored on: {}\nsolved by: {}\n{}", name,
                         with_source ? ", with a source" : "", description_of(task), tasks::scored_kind(task),
                         task.solved_by.empty() ? "accuracy or loss" : task.solved_by, samples_of(task));
    }
  check_kept(all, "tasks.txt");
}
