// What the learner's loop prints: the list of lessons, and what a check found.
#include <fmt/core.h>

#include <algorithm>

#include "headlight/system/files.h"
#include "headlight/system/text.h"
#include "learner.h"

namespace headlight::course {

std::string progress_bar(const std::vector<bool>& solved) {
  if (solved.empty()) return "";
  std::string bar = "[";
  for (const bool each : solved) bar += each ? "██" : "··";
  return bar + fmt::format("] {}/{}", std::ranges::count(solved, true), solved.size());
}

namespace {

std::string lesson_lines(const Learner& learner, const Lesson& lesson, std::size_t width) {
  const LessonProgress& done = learner.progress().of(lesson.folder);
  std::string state = has_exercise(learner.places(), lesson) ? "not started" : "no exercise";
  if (!done.solved.empty()) state = progress_bar(done.solved);
  std::string more = lesson.minutes;
  if (lesson.needs.empty()) more += ", after none";
  for (std::size_t i = 0; i < lesson.needs.size(); ++i)
    more += (i == 0 ? ", after " : i + 1 == lesson.needs.size() ? " and " : ", ") + lesson.needs[i];
  const bool working = lesson.folder == learner.progress().working;
  std::string text =
      fmt::format("{} {}  {} {}\n", working ? "→" : " ", lesson.number, fitted(lesson.title, 31), state);
  for (const std::string& line : wrapped(lesson.promise, width - 6)) text += "      " + line + "\n";
  for (const std::string& line : wrapped(more, width - 6)) text += "      " + line + "\n";
  return text;
}

std::string front_page(const Learner& learner) {
  const std::filesystem::path readme = learner.places().lessons / "README.md";
  return std::filesystem::exists(readme) ? read_file(readme) : "";
}

}  // namespace

std::vector<CoursePart> course_of(const Learner& learner) {
  return parts_of(front_page(learner), learner.lessons());
}

std::vector<Road> roads_of(const Learner& learner) {
  return roads_of(front_page(learner), learner.lessons());
}

std::string lesson_list(const Learner& learner, std::size_t width) {
  std::string text;
  for (const CoursePart& part : course_of(learner)) {
    if (!part.title.empty()) text += (text.empty() ? "" : "\n") + part.title + "\n\n";
    for (const Lesson& lesson : part.lessons) text += lesson_lines(learner, lesson, width);
  }
  std::vector<Road> roads = roads_of(learner);
  if (roads.empty()) return text;
  roads.push_back({"Everything", learner.lessons()});
  text += "\nRoads\n\n";
  for (const Road& road : roads)
    text += fmt::format("  {:<30}  {:<18}  {}\n", road.name, numbers_of(road), time_of(road));
  return text;
}

CheckedLine checked_line(Learner& learner, const Lesson& lesson, const OnProgress& progress) {
  std::string state = "not started: ./headlight start " + lesson.number;
  bool solved = false;
  std::optional<Findings> found;
  if (std::filesystem::exists(paths_of(learner.places(), lesson).mine)) {
    state = "does not compile: ./headlight check " + lesson.number;
    found = learner.check(lesson, progress);
    solved = found->all_solved();
    if (found->verdict) {
      state = found->verdict->parts.empty() ? "ends before its first part:"
                                            : progress_bar(learner.progress().of(lesson.folder).solved);
      if (!solved) state += "  ./headlight check " + lesson.number;
    }
  }
  return {fmt::format("{}  {} {}\n", lesson.number, fitted(lesson.title, 35), state), solved,
          std::move(found)};
}

namespace {

// "Also wrong: part 4 (crash). ./headlight check 2.4 shows it." Empty where nothing else is.
std::string also_wrong(const grader::Verdict& verdict, const Lesson& lesson) {
  std::string parts;
  std::size_t first = 0;
  for (std::size_t i = 0; i < verdict.parts.size(); ++i) {
    const auto kind = verdict.parts[i].kind;
    if (i == verdict.part || !kind || kind == grader::Kind::solved || kind == grader::Kind::not_written)
      continue;
    if (parts.empty()) first = i + 1;
    parts += fmt::format("{}part {} ({})", parts.empty() ? "" : ", ", i + 1, word_of(*kind));
  }
  if (parts.empty()) return "";
  return fmt::format("Also wrong: {}. ./headlight check {}.{} shows part {}.", parts, lesson.typed(), first,
                     first);
}

}  // namespace

int line_of(const Findings& found) {
  if (found.error) return std::max(found.error->line, 1);
  if (found.verdict->line > 0) return found.verdict->line;
  const std::string part = fmt::format("// Part {} ", found.verdict->part + 1);
  const std::vector<std::string> lines = text_lines(found.source);
  const auto at =
      std::ranges::find_if(lines, [&](const std::string& line) { return line.starts_with(part); });
  if (at == lines.end()) return 1;
  const auto code =
      std::find_if(at, lines.end(), [](const std::string& line) { return !line.starts_with("//"); });
  return static_cast<int>((code == lines.end() ? at : code) - lines.begin()) + 1;
}

std::string findings_text(const Findings& found, const Lesson& lesson, std::size_t width, bool color) {
  if (found.error)
    return error_text(*found.error, "my/" + lesson.folder + ".cpp", found.source, width) +
           fmt::format("\nAll that the compiler said: my/{}\n", kCompilerLog);
  std::string used = used_sentence(found.used);
  if (found.own_unusable) used += " What you wrote does not compile here.";
  std::string text;
  const auto add = [&](const std::string& words) {
    for (const std::string& line : wrapped(words, width)) text += line + "\n";
    if (!words.empty()) text += "\n";
  };
  add(used);
  for (const std::string& line : found.earned) add(line);
  const std::string last = fmt::format("Part {} ", found.verdict->parts.size());
  if (!found.solved() && !found.earned.empty() && found.earned.back().starts_with(last))
    text += grader::trials_text(*found.verdict, width) + "\n";
  text += grader::verdict_text(*found.verdict, width, color);
  const std::string others = also_wrong(*found.verdict, lesson);
  if (!others.empty()) text += "\n";
  add(others);
  if (!others.empty()) text.pop_back();
  if (!found.solved()) text += fmt::format("\nmy/{}.cpp:{}\n", lesson.folder, line_of(found));
  return text;
}

}  // namespace headlight::course
