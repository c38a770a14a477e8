// The learner's loop for a page: the same as in a terminal, in the page's own files. The build and the
// checkers are played by the page (toolchain.js). Prints one line of JSON, as docs/solve.md has it.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "course/check/learner.h"
#include "course/check/picture.h"
#include "course/check/toolchain.h"
#include "headlight/core/check.h"
#include "headlight/core/numbers.h"
#include "headlight/system/run_main.h"

namespace headlight::course {
namespace {

using nlohmann::json;

json checked(Learner& learner, const Wanted& wanted, std::size_t width) {
  const auto& [lesson, part] = wanted;
  const Findings found = learner.check(lesson, {}, part);
  json mark = nullptr;
  const bool unwritten = found.verdict && found.verdict->kind == grader::Kind::not_written;
  if (!found.solved())
    mark = {
        {"line", line_of(found)}, {"column", found.error ? found.error->column : 0}, {"wrong", !unwritten}};
  std::string text = findings_text(found, lesson, width, false);
  if (found.all_solved()) text += "\n" + learner.after_solving(lesson);
  return {{"text", text},
          {"error", found.error ? found.error->message : ""},
          {"mark", mark},
          {"solved", learner.progress().of(lesson.folder).solved},
          {"picture", !picture_offer(learner.places(), lesson, found).empty()}};
}

json answer(const std::vector<std::string>& words) {
  const std::filesystem::path build = "/build";
  Learner learner({"/lessons", "/my"}, build_folder_tools(build));
  check(words.size() == 3, "expected an action, a lesson and a width, got {} words.", words.size());
  const Wanted wanted = learner.wanted(words[1]);
  const auto width = number_from_text<std::size_t>(words[2]);
  if (words[0] == "check") return checked(learner, wanted, width);
  if (words[0] == "hint") return {{"text", learner.hint(wanted.lesson, wanted.part)}};
  if (words[0] == "show") {
    const KeptPicture kept = show(learner, build, wanted.lesson);
    return {{"picture", kept.name}};
  }
  fail("'{}' is no action: check, hint or show.", words[0]);
}

int run(int argc, char** argv) {
  json said;
  try {
    said = answer({argv + std::min(argc, 1), argv + argc});
  } catch (const Error& e) {
    said = {{"failed", e.what()}};
  }
  fmt::print("{}\n", said.dump(-1, ' ', false, json::error_handler_t::replace));
  return 0;
}

}  // namespace
}  // namespace headlight::course

int main(int argc, char** argv) { return headlight::course::run(argc, argv); }
