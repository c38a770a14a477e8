#include "learner.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

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

Wanted Learner::wanted(const std::string& words) const {
  const std::size_t dot = words.find('.');
  Wanted found{lesson(words.substr(0, dot))};
  if (dot == std::string::npos) return found;
  const std::string number = words.substr(dot + 1);
  const std::size_t parts = part_names(places_, found.lesson).size();
  for (std::size_t part = 0; part < parts; ++part)
    if (number == std::to_string(part + 1)) found.part = part;
  headlight::check(found.part.has_value(), "lesson {} has no part '{}'; its parts are 1 to {}.",
                   found.lesson.number, number, parts);
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
  const std::string number = chosen.typed();
  if (!laid && solved(chosen))
    return fmt::format("Lesson {} is solved: all parts of {} were right when they were checked last.\n{}",
                       number, p.mine_name, after_solving(chosen)) +
           fmt::format("./headlight reset {}    the exercise anew; your file is kept\n", number);
  return fmt::format(
      "{}\nOpen {} and write {} in place of its todo().\n"
      "The parts can be solved in any order.\n"
      "Then: ./headlight check      what is right and what is wrong\n"
      "      ./headlight check {}.2  the same of part 2 alone\n"
      "      ./headlight watch      the same at each save\n"
      "{}"
      "The text: lessons/{}/README.md, or ./headlight lesson {} --read\n",
      laid ? fmt::format("The exercise of lesson {} is in {}.", chosen.number, p.mine_name)
           : fmt::format("Your {} is there already and was left as it is.", p.mine_name),
      p.mine_name, next_part(chosen), number,
      std::filesystem::exists(p.hints) ? "      ./headlight hint       a nudge\n" : "", chosen.folder,
      number);
}

std::size_t Learner::first_unsolved(const Lesson& chosen) const {
  const std::vector<bool>& done = progress_.of(chosen.folder).solved;
  const auto next = std::ranges::find(done, false);
  return next == done.end() ? 0 : static_cast<std::size_t>(next - done.begin());
}

std::string Learner::next_part(const Lesson& chosen) const {
  const std::size_t part = first_unsolved(chosen);
  if (part == 0) return "the first part";
  const std::vector<std::string> names = part_names(places_, chosen);
  return part < names.size() ? fmt::format("part {}, {},", part + 1, names[part]) : "the next part";
}

std::string Learner::after_solving(const Lesson& chosen) const {
  const std::string questions = fmt::format(
      "Now the questions at the end of lessons/{}/README.md; answers in questions.md.\n", chosen.folder);
  const Lesson* after = next(chosen);
  if (after == nullptr) return questions + "That was the last exercise.\n";
  return questions + fmt::format("Next: ./headlight start {}    {}\n", after->typed(), after->title);
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

void Learner::require_started(const Lesson& chosen) const {
  const ExercisePaths p = paths(chosen);
  headlight::check(std::filesystem::exists(p.mine), "there is no {}. Hint: ./headlight start {}", p.mine_name,
                   chosen.number);
}

Findings Learner::check(const Lesson& chosen, const OnProgress& progress, std::optional<std::size_t> part) {
  require_started(chosen);
  const ExercisePaths p = paths(chosen);
  const std::vector<std::string> used = tools_.uses(chosen);
  bool own = true;  // whether what they wrote earlier is used
  for (;;) {
    Findings found;
    found.source = read_file(p.mine);
    found.used = write_used(places_, used, own);
    found.own_unusable = !own;
    const Built built = tools_.build(chosen, p.mine, progress);
    if (built.ok) {
      found.verdict = tools_.grade(chosen, p.mine, part, progress);
      if (part && found.solved() && is_last_to_solve(chosen, *part))
        found.verdict = tools_.grade(chosen, p.mine, {}, progress);
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
    if (found.verdict) remember(chosen, found);
    return found;
  }
}

bool Learner::is_last_to_solve(const Lesson& chosen, std::size_t part) const {
  std::vector<bool> done = progress_.of(chosen.folder).solved;
  if (part >= done.size()) return false;
  done[part] = true;
  return std::ranges::find(done, false) == done.end();
}

void Learner::remember(const Lesson& chosen, Findings& found) {
  const grader::Verdict& verdict = *found.verdict;
  std::vector<std::string> names;
  for (const auto& part : verdict.parts)
    if (part.solved()) names.push_back(part.name);
  store_solved(places_, chosen, names, verdict.parts.size(), found.source);
  const std::vector<bool> before = progress_.of(chosen.folder).solved;
  change([&](Progress& progress) {
    progress.working = chosen.folder;
    if (verdict.parts.empty()) return;  // it ended before the first part
    std::vector<bool>& solved = progress.lessons[chosen.folder].solved;
    solved.resize(verdict.parts.size());
    for (std::size_t i = 0; i < solved.size(); ++i)
      if (verdict.parts[i].kind) solved[i] = verdict.parts[i].solved();
  });
  const bool alone = found.solved() && !found.all_solved();
  for (std::size_t i = 0; i < verdict.parts.size(); ++i)
    if (verdict.parts[i].solved() && (alone || i >= before.size() || !before[i]))
      found.earned.push_back(earned_line(chosen, i));
  last_ = verdict;
}

std::string Learner::earned_line(const Lesson& chosen, std::size_t part) const {
  const std::vector<std::string> names = part_names(places_, chosen);
  const std::string name = part < names.size() ? names[part] : "";
  const std::string earned = name.empty() ? "" : earned_by(paths(chosen).hints, name);
  return fmt::format("Part {} ✓ {}{}", part + 1, name, earned.empty() ? "" : ": " + earned);
}

void Learner::change(const std::function<void(Progress&)>& change) {
  progress_ = change_progress(places_.my, change);
}

std::string Learner::hint(const Lesson& chosen, std::optional<std::size_t> wanted) {
  require_started(chosen);
  if (!wanted && (!last_ || last_->lesson != chosen.folder) && check(chosen).error)
    wanted = first_unsolved(chosen);
  if (!wanted && last_->parts.empty())
    return "The program ends before its first part: ./headlight check says how.\n";
  if (!wanted && last_->all_solved()) return "Every part is solved.\n";
  const std::string part = part_names(places_, chosen).at(wanted ? *wanted : last_->part);
  const std::vector<std::string> hints = hints_for(paths(chosen).hints, part);
  headlight::check(!hints.empty(), "there are no hints for {}.", part);
  std::size_t number = 0;
  change([&](Progress& progress) { number = progress.lessons[chosen.folder].hints[part]++ % hints.size(); });
  return fmt::format("{}, hint {} of {}: {}\n", part, number + 1, hints.size(), hints[number]);
}

bool Learner::solved(const Lesson& chosen) const { return progress_.of(chosen.folder).all_solved(); }

std::string Learner::solution(const Lesson& chosen, bool anyway, std::size_t width) const {
  const ExercisePaths p = paths(chosen);
  headlight::check(std::filesystem::exists(p.solution), "this folder is a class's, and has no solutions.");
  headlight::check(
      anyway || solved(chosen),
      "The exercise of lesson {0} is not solved yet. Hint: ./headlight hint {0} helps without giving it "
      "away; ./headlight solution {0} --anyway shows the solution.",
      chosen.number);
  const std::string mine = std::filesystem::exists(p.mine) ? read_file(p.mine) : "";
  return beside_solution(mine, read_file(p.solution), width);
}

const Lesson* Learner::next(const Lesson& chosen) const {
  for (const Lesson& lesson : lessons_)
    if (lesson.folder > chosen.folder && has_exercise(places_, lesson)) return &lesson;
  return nullptr;
}

}  // namespace headlight::course
