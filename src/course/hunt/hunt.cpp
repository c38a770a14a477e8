#include "hunt.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// The check that showed the symptom stands in the folder, as a line of `look --differences`.
constexpr const char* kSeen = "seen.txt";
constexpr const char* kText = "HUNT.md";

std::string line_of(const Difference& d) {
  return d.tool + "\t" + d.check + "\t" + d.here + "\t" + d.expected;
}

std::string stars_text(int stars) {
  std::string text;
  for (int i = 0; i < stars; ++i) text += "★";
  return text;
}

}  // namespace

Outcome outcome_of(const Looked& looked, const HuntFolder::Changes& changes, const Difference& seen) {
  if (!changes.any) return Outcome::untouched;
  if (!looked.built) return Outcome::not_compiling;
  if (!looked.finished) return Outcome::not_finished;
  if (looked.differences.empty()) return changes.at_the_bug ? Outcome::fixed : Outcome::masked;
  const bool shown = std::ranges::any_of(
      looked.differences, [&](const Difference& d) { return d.tool == seen.tool && d.check == seen.check; });
  if (!shown) return Outcome::masked;
  return changes.at_the_bug ? Outcome::still_there : Outcome::elsewhere;
}

std::string verdict_text(Outcome outcome, const Looked& looked) {
  const std::string remaining =
      looked.differences.empty()
          ? ""
          : fmt::format("{} checks still differ, the first of them '{}' of the tool {}. See ./look.\n",
                        looked.differences.size(), looked.differences[0].check, looked.differences[0].tool);
  switch (outcome) {
    case Outcome::fixed:
      return "Fixed: every check comes out as expected, and the change is in the right place.\n";
    case Outcome::untouched:
      return "Not fixed: no file of the engine was changed yet.\n";
    case Outcome::elsewhere:
      return "Not fixed: another place was changed, and the symptom is still there. " + remaining;
    case Outcome::masked:
      return remaining.empty()
                 ? "Not fixed: the symptom is gone and the cause is not. Every check comes out as "
                   "expected, but the lines with the bug are as they were.\n"
                 : "Not fixed: the symptom is gone and the cause is not. " + remaining;
    case Outcome::still_there:
      return "Not fixed: the symptom is still there. " + remaining;
    case Outcome::not_compiling:
      return "Not fixed: the copy does not compile.\n" + looked.errors;
    case Outcome::not_finished:
      return "Not fixed: the program that looks at the copy did not come to its end. " + looked.errors + "\n";
  }
  return "";
}

std::string told(const HuntNote& note, const Difference& seen) {
  return fmt::format(
      "# A hunt {}\n\n"
      "The engine in this folder has one bug. Find its line and fix it.\n\n"
      "The stars count what `./look` shows, and not how hard the fix is. One star: one tool differs, and\n"
      "its checks name one function. Three: checks of eight parts or more differ. Two: all other bugs.\n\n"
      "## What was seen\n\n"
      "Tool `{}`, check `{}`:\n\n"
      "    here      {}\n"
      "    expected  {}\n\n"
      "## The engine\n\n"
      "    src/engine/core      arrays, kernels, matrix products, random numbers\n"
      "    src/engine/autograd  the tape: records ops, and runs the backward pass\n"
      "    src/engine/ops       ops, each with its formula and its derivative\n"
      "    src/engine/nn        layers, the transformer, hooks\n"
      "    src/engine/optim     optimizers, schedules of the learning rate, clipping\n"
      "    src/engine/tasks     sequences to train on\n"
      "    src/engine/train     batches, shards, training steps, evaluation\n\n"
      "`include/headlight` has the headers, in folders of the same names. All other files have no bug.\n\n"
      "## Tools\n\n"
      "    ./look                   runs all tools, and prints the checks that differ\n"
      "    ./look training          losses of short trainings (lesson 4)\n"
      "    ./look optimizer         a few steps of each optimizer (lesson 4)\n"
      "    ./look audit             parameters that get no gradient\n"
      "    ./look model             loss and gradients of models, each with another part\n"
      "    ./look ledger            gradients in four ways (lesson 9)\n"
      "    ./look nan               ops on extreme numbers, in an AnomalyScope (lesson 5)\n"
      "    ./look large             attention and matrix products with many rows\n"
      "    ./look gradient          each op against central differences (lesson 3)\n"
      "    ./look gradient softmax  only the checks with \"softmax\" in their name\n"
      "    ./look try               your own program, try.cpp\n\n"
      "Each call first compiles what you have changed.\n\n"
      "The ledger names the four ways in which it computes a gradient:\n\n"
      "    hand     matrix formulas written out by hand, without the tape (src/course/gradients)\n"
      "    tape     simple ops, differentiated by the tape\n"
      "    fused    the backward pass of the fused op, which training uses\n"
      "    numeric  central differences of the fused op\n\n"
      "It compares them in this order: \"fused and tape differ\" says that hand and tape agree.\n\n"
      "## When you have fixed it\n\n"
      "    ./headlight hunt --fixed\n",
      stars_text(note.stars), seen.tool, seen.check, seen.here, seen.expected);
}

Hunt::Hunt(const fs::path& source, const fs::path& folder)
    : source_(source), folder_(source, folder), bank_(read_bank(source / "tests/mutants")) {}

const Bug& Hunt::bug_of(const HuntNote& note) const {
  const auto found =
      std::ranges::find_if(bank_, [&](const Bug& bug) { return hidden(bug.name) == note.bug; });
  check(found != bank_.end(),
        "the bug of '{}' is not in this project's bank. Hint: was the hunt begun with another version?",
        folder_.path().string());
  return *found;
}

HuntNote Hunt::begun() const {
  const std::optional<HuntNote> note = folder_.note();
  check(note && fs::exists(folder_.path() / kText),
        "no hunt was begun in '{}'. Hint: ./headlight hunt --as YOUR-NAME", folder_.path().string());
  return *note;
}

std::string Hunt::text() const {
  (void)begun();
  return read_file(folder_.path() / kText);
}

std::string Hunt::begin(const HuntRequest& asked) const {
  const std::vector<Eligible> eligible = read_eligible(source_ / "src/course/hunt/bugs.txt");
  const std::string wanted =
      !asked.bug.empty() ? asked.bug : bug_for(asked.name, asked.stars.value_or(kUsualStars), eligible).name;
  const auto bug = std::ranges::find(bank_, wanted, &Bug::name);
  check(bug != bank_.end(), "--bug: there is no bug '{}'. Hint: ./headlight mutants --list", wanted);
  const auto listed = std::ranges::find(eligible, wanted, &Eligible::name);
  const int stars = listed == eligible.end() ? kUsualStars : listed->stars;
  const HuntNote note{asked.name, stars, hidden(bug->name), folder_.hash_of(*bug), false};
  if (is_there_already(note, asked.anew)) return text();
  const bool first = !fs::exists(folder_.path() / "build/build.ninja");
  headlight::note("headlight: building a copy of the engine{}",
                  first ? ", which takes a minute on two cores" : "");
  folder_.write_note(note);  // first, so that the folder is a hunt's; its text is last
  remove_file(folder_.path() / kText);
  folder_.lay_out(*bug);
  const Looked looked = folder_.look();
  check(looked.built, "the copy of the engine does not compile: {}", cut_to(looked.errors, 500));
  check(looked.finished && !looked.differences.empty(),
        "no tool shows the bug '{}', or it ends the program. Hint: --bug with another one.", wanted);
  write_file(folder_.path() / kSeen, line_of(looked.differences[0]) + "\n");
  folder_.level_times();
  write_file(folder_.path() / kText, told(note, looked.differences[0]));
  return text();
}

bool Hunt::is_there_already(const HuntNote& wanted, bool anew) const {
  const fs::path& folder = folder_.path();
  const bool has_hunt = fs::exists(folder / "hunt.json");
  check(has_hunt || !fs::exists(folder) || fs::is_empty(folder),
        "'{}' is there and holds no hunt. Hint: --in FOLDER takes another one.", folder.string());
  if (!has_hunt || anew) return false;
  const HuntNote before = *folder_.note();
  const bool same = before.bug == wanted.bug && before.name == wanted.name;
  check(
      same || before.fixed,
      "'{}' holds the hunt of '{}', which is not fixed. Hint: --anew gives it up; --in FOLDER begins another "
      "one.",
      folder.string(), before.name);
  return same && fs::exists(folder / kText);
}

Hunt::Judged Hunt::judge() const {
  HuntNote note = begun();
  const Bug& bug = bug_of(note);
  folder_.restore_tools();
  const HuntFolder::Changes changes = folder_.changes(bug, note);
  const Looked looked = changes.any ? folder_.look() : Looked{};
  const std::vector<std::string> seen = text_lines(read_file(folder_.path() / kSeen));
  const Outcome outcome =
      outcome_of(looked, changes, difference_from(seen.empty() ? "" : seen[0]).value_or(Difference{}));
  if (outcome == Outcome::fixed) note.fixed = true, folder_.write_note(note);
  return {note, outcome, verdict_text(outcome, looked)};
}

}  // namespace headlight::course
