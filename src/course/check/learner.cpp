#include "learner.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

constexpr const char* kCompilerLog = ".compiler.txt";  // in my/

// The last line of a build's log that says why it failed; ninja's own when no other does.
std::string last_words(const std::string& log) {
  constexpr std::array kOfNoUse{"ninja: ", "[", "collect2: ", "compilation terminated."};
  constexpr std::size_t kMostColumns = 300;
  std::string last, ninjas = "it said nothing";
  for (const std::string& line : text_lines(log)) {
    const auto begins = [&](const char* with) { return line.starts_with(with); };
    if (begins("ninja: error: "))
      ninjas = line;
    else if (line.find_first_not_of(' ') != std::string::npos && std::ranges::none_of(kOfNoUse, begins))
      last = line;
  }
  std::string words = cut_to(printable(last.empty() ? ninjas : last), kMostColumns);
  if (words.ends_with('.')) words.pop_back();
  return words;
}

}  // namespace

Learner::Learner(Places places, Toolchain tools)
    : places_(std::move(places)),
      tools_(std::move(tools)),
      lessons_(lessons_in(places_.lessons)),
      progress_(load_progress(places_.my)) {}

const Lesson& Learner::lesson(const std::string& wanted) const {
  headlight::check(
      !wanted.empty() || !progress_.working.empty(),
      "No exercise was started yet. Hint: ./headlight start 1, or ./headlight lessons for the list.");
  const Lesson& found = find_lesson(lessons_, wanted.empty() ? progress_.working : wanted);
  headlight::check(has_exercise(places_, found),
                   "lesson {} has no exercise. Hint: ./headlight lessons shows which have.", found.number);
  return found;
}

std::string Learner::start(const std::string& wanted) {
  headlight::check(!wanted.empty() || !progress_.working.empty() || !lessons_.empty(),
                   "there are no lessons.");
  const Lesson& chosen =
      lesson(wanted.empty() && progress_.working.empty() ? lessons_.front().number : wanted);
  const ExercisePaths p = paths(chosen);
  const bool laid = lay_out(p);
  change([&](Progress& progress) { progress.working = chosen.folder; });
  return fmt::format(
      "{}\nOpen {} and write the first part in place of its todo();\n"
      "Then: ./headlight check    what is right and what is wrong\n"
      "      ./headlight watch    the same at each save\n"
      "      ./headlight hint     a nudge\n"
      "The text: lessons/{}/README.md, or ./headlight lesson {} --read\n",
      laid ? fmt::format("The exercise of lesson {} is in {}.", chosen.number, p.mine_name)
           : fmt::format("Your {} is there already and was left as it is.", p.mine_name),
      p.mine_name, chosen.folder, std::stoi(chosen.number));
}

std::string Learner::reset(const std::string& wanted) {
  const Lesson& chosen = lesson(wanted);
  const ExercisePaths p = paths(chosen);
  const std::string old = start_anew(p);
  change([&](Progress& progress) {
    progress.working = chosen.folder;
    progress.lessons.erase(chosen.folder);
  });
  return fmt::format("{} is as it was shipped.{}\n", p.mine_name,
                     old.empty() ? "" : fmt::format(" Your old file is kept as {}.", old));
}

Findings Learner::check(const Lesson& chosen, const OnProgress& progress) {
  const ExercisePaths p = paths(chosen);
  headlight::check(std::filesystem::exists(p.mine), "there is no {}. Hint: ./headlight start {}", p.mine_name,
                   chosen.number);
  const std::vector<std::string> used = tools_.uses(chosen);
  bool own = true;  // whether what they wrote earlier is used
  for (;;) {
    Findings found;
    found.source = read_file(p.mine);
    found.used = copy_used(places_, used, own);
    found.own_unusable = !own;
    const Built built = tools_.build(chosen, p.mine, progress);
    if (built.ok) {
      found.verdict = tools_.grade(chosen, p.mine, progress);
    } else {
      found.error = first_error(built.log, p.mine_name);
      write_file(places_.my / kCompilerLog, built.log);
      const bool in_mine = found.error && found.error->line > 0;
      if (!in_mine && any_by_learner(found.used)) {
        own = false;
        continue;
      }
      if (!found.error)
        fail("the build failed: {}. Hint: the exercise as it was shipped stands in lessons/{}/.",
             last_words(built.log), chosen.folder);
    }
    if (read_file(p.mine) != found.source) continue;
    if (found.verdict) remember(chosen, found.source, *found.verdict);
    return found;
  }
}

namespace {

std::size_t solved_parts(const grader::Verdict& verdict) {
  return static_cast<std::size_t>(
      std::ranges::count_if(verdict.parts, [](const auto& part) { return part.solved; }));
}

}  // namespace

void Learner::remember(const Lesson& chosen, const std::string& source, const grader::Verdict& verdict) {
  if (verdict.kind == grader::Kind::solved) store_passed(places_, chosen.folder, source);
  change([&](Progress& progress) {
    progress.working = chosen.folder;
    if (verdict.parts.empty()) return;  // it ended before the first part
    LessonProgress& lesson = progress.lessons[chosen.folder];
    lesson.parts = verdict.parts.size();
    lesson.solved = solved_parts(verdict);
  });
  last_ = verdict;
}

void Learner::change(const std::function<void(Progress&)>& change) {
  progress_ = change_progress(places_.my, change);
}

std::string Learner::hint(const Lesson& chosen) {
  if (!last_ || last_->lesson != chosen.folder) {
    const Findings found = check(chosen);
    if (found.error) return "The file does not compile yet: ./headlight check says where.\n";
  }
  if (last_->parts.empty()) return "The program ends before its first part: ./headlight check says how.\n";
  if (last_->part >= last_->parts.size()) return "Every part is solved.\n";
  const std::string part = last_->parts[last_->part].name;
  const std::vector<std::string> hints = hints_for(paths(chosen).hints, part);
  headlight::check(!hints.empty(), "there are no hints for {}.", part);
  std::size_t number = 0;
  change([&](Progress& progress) { number = progress.lessons[chosen.folder].hints[part]++ % hints.size(); });
  return fmt::format("{}, hint {} of {}: {}\n", part, number + 1, hints.size(), hints[number]);
}

bool Learner::solved(const Lesson& chosen) const { return progress_.of(chosen.folder).all_solved(); }

std::string Learner::solution(const Lesson& chosen, bool anyway, std::size_t width) const {
  headlight::check(
      anyway || solved(chosen),
      "The exercise of lesson {0} is not solved yet. Hint: ./headlight hint {0} helps without giving it "
      "away; ./headlight solution {0} --anyway shows the solution.",
      chosen.number);
  const ExercisePaths p = paths(chosen);
  const std::string mine = std::filesystem::exists(p.mine) ? read_file(p.mine) : "";
  return beside_solution(mine, read_file(p.solution), width);
}

const Lesson* Learner::next(const Lesson& chosen) const {
  for (const Lesson& lesson : lessons_)
    if (lesson.folder > chosen.folder && has_exercise(places_, lesson)) return &lesson;
  return nullptr;
}

std::string progress_bar(const grader::Verdict& verdict) {
  return verdict.parts.empty() ? "" : progress_bar(solved_parts(verdict), verdict.parts.size());
}

std::string progress_bar(std::size_t done, std::size_t all) {
  std::string bar = "[";
  for (std::size_t i = 0; i < all; ++i) bar += i < done ? "██" : "··";
  return bar + fmt::format("] {}/{}", done, all);
}

namespace {

std::string lesson_lines(const Learner& learner, const Lesson& lesson, std::size_t width) {
  const LessonProgress& done = learner.progress().of(lesson.folder);
  std::string state = has_exercise(learner.places(), lesson) ? "not started" : "no exercise";
  if (done.parts > 0) state = progress_bar(done.solved, done.parts);
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
    text += fmt::format("  {:<30}  {:<14}  {}\n", road.name, numbers_of(road), time_of(road));
  return text;
}

CheckedLine checked_line(Learner& learner, const Lesson& lesson, const OnProgress& progress) {
  std::string state = "not started: ./headlight start " + lesson.number;
  bool solved = false;
  if (std::filesystem::exists(paths_of(learner.places(), lesson).mine)) {
    state = "does not compile: ./headlight check " + lesson.number;
    const Findings found = learner.check(lesson, progress);
    solved = found.solved();
    if (found.verdict) {
      state = progress_bar(*found.verdict);
      if (state.empty()) state = "ends before its first part:";
      if (!solved) state += "  ./headlight check " + lesson.number;
    }
  }
  return {fmt::format("{}  {} {}\n", lesson.number, fitted(lesson.title, 35), state), solved};
}

std::string findings_text(const Findings& found, const Lesson& lesson, std::size_t width, bool color) {
  if (found.error)
    return error_text(*found.error, "my/" + lesson.folder + ".cpp", found.source, width) +
           fmt::format("\nAll that the compiler said: my/{}\n", kCompilerLog);
  std::string used = used_sentence(found.used);
  if (found.own_unusable) used += " What you wrote does not compile here.";
  std::string text;
  if (!used.empty())
    for (const std::string& line : wrapped(used, width)) text += line + "\n";
  return text + (text.empty() ? "" : "\n") + grader::verdict_text(*found.verdict, width, color);
}

}  // namespace headlight::course
