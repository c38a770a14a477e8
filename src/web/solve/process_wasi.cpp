// The programs that a page plays: the build of a learner's file, its checker, addr2line
// (src/web/solve/toolchain.js).
#include <nlohmann/json.hpp>

#include "headlight/core/check.h"
#include "headlight/system/json.h"
#include "headlight/system/process.h"

// Runs the command of this JSON, and returns the size of what it answers in JSON, which page_answer() copies.
extern "C" __attribute__((import_module("page"), import_name("run"))) std::size_t page_run(
    const char* command, std::size_t size);
extern "C" __attribute__((import_module("page"), import_name("answer"))) void page_answer(char* into);

// Lets this program compute for so many seconds more.
extern "C" __attribute__((import_module("page"), import_name("allow"))) void page_allow(int seconds);

namespace headlight {

void limit_own_cpu(std::chrono::seconds more) { page_allow(static_cast<int>(more.count())); }

Ended run_process(const Command& command) {
  nlohmann::json asked{{"words", command.words}, {"environment", command.environment}};
  if (command.confined)
    asked["confined"] = {{"cpu", command.confined->cpu.count()},
                         {"most_cpu", command.confined->most_cpu.count()},
                         {"memory", command.confined->memory}};
  const std::string text = asked.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string answer(page_run(text.data(), text.size()), '\0');
  page_answer(answer.data());
  const auto found = json_from<nlohmann::json>(answer);
  Ended ended;
  found.at("output").get_to(ended.output);
  found.at("errors").get_to(ended.errors);
  found.at("status").get_to(ended.status);
  found.at("found").get_to(ended.found);
  found.at("timed_out").get_to(ended.timed_out);
  if (found.at("signal") != 0) ended.signal = found.at("signal").get<int>();
  if (command.on_output) command.on_output(ended.output);
  return ended;
}

Ended run_silently(const Command& command) { return run_process(command); }

int run_attached(const std::vector<std::string>& words) { fail("a page cannot run '{}'.", words.at(0)); }

WorkDone run_in_copy(const std::function<std::string()>& work) { return {work(), 0}; }

}  // namespace headlight
