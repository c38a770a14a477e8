#include "check_command.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "check/marks.h"
#include "check/picture.h"
#include "headlight/core/check.h"
#include "headlight/system/json_output.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"
#include "program/exit_status.h"
#include "progress_line.h"

namespace headlight::course {
namespace {

// Opens a file at a line in the editor of $VISUAL or $EDITOR.
void edit(const std::filesystem::path& file, int line) {
  const char *visual = std::getenv("VISUAL"), *editor = std::getenv("EDITOR");
  std::vector<std::string> words = text_words(visual != nullptr ? visual : editor != nullptr ? editor : "");
  check(
      !words.empty(),
      "--edit opens the editor that $EDITOR names, and it names none. Hint: EDITOR=nano ./headlight check --edit");
  const std::string name = std::filesystem::path(words[0]).filename();
  if (name == "code" || name == "codium")
    words.insert(words.end(), {"--goto", fmt::format("{}:{}", file.string(), line)});
  else  // vi, nano, emacs, kate, gedit, micro
    words.insert(words.end(), {fmt::format("+{}", line), file.string()});
  const int status = run_attached(words);
  check(status == 0, "--edit: '{}' ended with status {}.", words[0], status);
}

struct Shape {
  std::size_t width;
  bool color;
};

// What a check of an exercise prints.
std::string shown(Learner& learner, const Lesson& lesson, const Findings& found, const Shape& shape) {
  std::string text;
  if (found.verdict)
    text =
        fmt::format("{} {}   {}\n\n", lesson.number, lesson.name,
                    progress_bar(found.verdict->parts.empty() ? std::vector<bool>{}
                                                              : learner.progress().of(lesson.folder).solved));
  text += findings_text(found, lesson, shape.width, shape.color);
  if (const std::string offer = picture_offer(learner.places(), lesson, found); !offer.empty())
    text += "\n" + offer;
  if (found.all_solved()) text += "\n" + learner.after_solving(lesson);
  return text;
}

void print_json(const ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

int check_once(Learner& learner, const std::string& wanted, const CheckOptions& asked, const Shape& shape) {
  const auto [lesson, part] = learner.wanted(wanted);
  const Findings found = learner.check(lesson, show_progress, part);
  clear_progress();
  const std::string text = shown(learner, lesson, found, shape);
  const Marks marks = marks_of(learner.places(), lesson, found);
  if (asked.json)
    print_json(json_of(marks, lesson, found, text));
  else
    fmt::print("{}", text);
  std::fflush(stdout);
  write_result(asked.result, tests_of({marks}));
  if (asked.edit && !found.solved()) edit(learner.places().my / (lesson.folder + ".cpp"), line_of(found));
  return found.solved() ? 0 : kNotFound;
}

// Every lesson with an exercise, in a line each; as JSON those that were started.
int check_all(Learner& learner, const CheckOptions& asked, const Shape& shape) {
  bool all_solved = true;
  std::vector<Marks> all;
  ordered_json list = ordered_json::array();
  for (const Lesson& lesson : learner.lessons()) {
    if (!has_exercise(learner.places(), lesson)) continue;
    const CheckedLine line = checked_line(learner, lesson, show_progress);
    clear_progress();
    all.push_back(marks_of(learner.places(), lesson, line.found));
    if (!asked.json)
      fmt::print("{}", line.text);
    else if (line.found)
      list.push_back(json_of(all.back(), lesson, *line.found, shown(learner, lesson, *line.found, shape)));
    std::fflush(stdout);
    all_solved = all_solved && line.solved;
  }
  if (asked.json) print_json(list);
  write_result(asked.result, tests_of(all));
  return all_solved ? 0 : kNotFound;
}

}  // namespace

void add_check_options(CLI::App& command, CheckOptions& options, bool& no_color) {
  command.add_flag("--no-color", no_color, "Draw in plain text");
  command.add_flag("--edit", options.edit, "Then open the file in $EDITOR, at the line of what is wrong");
  command.add_flag("--json", options.json, "What is found, as JSON (docs/teaching.md)");
  command.add_flag("--all", options.all, "Every lesson, in a line each")
      ->excludes(command.get_option("LESSON"));
  add_result_options(command, options.result);
}

int check_and_print(Learner& learner, const std::string& wanted, const CheckOptions& options,
                    std::size_t width, bool color) {
  const Shape shape{width, color && !options.json};
  return options.all ? check_all(learner, options, shape) : check_once(learner, wanted, options, shape);
}

}  // namespace headlight::course
