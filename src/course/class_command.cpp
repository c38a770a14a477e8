#include "class_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "class/class_page.h"
#include "class/class_tables.h"
#include "class/grade_class.h"
#include "headlight/core/check.h"
#include "headlight/core/thread_pool.h"
#include "headlight/system/file_kind.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"
#include "headlight/system/sandbox.h"
#include "headlight/system/system.h"
#include "progress_line.h"

namespace headlight::course {
namespace {

struct ClassAsked {
  std::string folder, page, csv, names;
  std::vector<std::string> lessons;
  bool unconfined = false;
};

// Those that are asked for, or those of which somebody handed in a file.
std::vector<Lesson> lessons_to_grade(const ClassAsked& asked, const std::vector<Lesson>& all,
                                     const std::vector<Submission>& submissions) {
  std::vector<Lesson> chosen;
  for (const std::string& wanted : asked.lessons) chosen.push_back(find_lesson(all, wanted));
  if (!chosen.empty()) return chosen;
  for (const Lesson& lesson : all)
    if (std::ranges::any_of(submissions,
                            [&](const auto& each) { return each.files.contains(lesson.folder); }))
      chosen.push_back(lesson);
  check(!chosen.empty(),
        "no submission has a file of an exercise. Hint: it is called as in my/, 02_derivatives.cpp.");
  return chosen;
}

void check_confinement(bool unconfined) {
  if (unconfined) return note("headlight: --unconfined: what the students wrote runs with your rights.");
  const std::string why = why_no_sandbox();
  check(
      why.empty(),
      "what students wrote runs in a sandbox, and {}. Hint: --unconfined runs it with your rights, which can "
      "read and change your files.",
      why);
}

int grade(const ClassAsked& asked, const std::filesystem::path& source, const std::filesystem::path& build) {
  if (!asked.page.empty()) check_same_kind(asked.page, {"--out", "page", "<!DOCTYPE html>"});
  const std::vector<Lesson> all = lessons_in(source / "lessons");
  const std::vector<Submission> submissions = submissions_in(asked.folder, all, asked.names);
  const std::vector<Lesson> lessons = lessons_to_grade(asked, all, submissions);
  check_confinement(asked.unconfined);
  const auto progress = [](std::size_t done, std::size_t of) { show_progress("grading", done, of); };
  const GradedClass graded =
      grade_class(submissions, lessons,
                  {source, build, !asked.unconfined, static_cast<std::size_t>(thread_count(0)), progress});
  clear_progress();
  const ClassSummary summary = summary_of(graded, source / "lessons");
  fmt::print(
      "{}", class_text(graded, summary, std::max<std::size_t>(60, system::terminal_columns().value_or(100))));
  if (!asked.page.empty()) {
    const std::string title = "Headlight: " + std::filesystem::canonical(asked.folder).filename().string();
    write_file(asked.page, class_page(graded, summary, title));
    fmt::print("\n{}\n", asked.page);
  }
  if (!asked.csv.empty()) {
    write_file(asked.csv, class_csv(graded));
    fmt::print("{}{}\n", asked.page.empty() ? "\n" : "", asked.csv);
  }
  return 0;
}

}  // namespace

void add_class_command(CLI::App& program, const std::filesystem::path& source,
                       const std::filesystem::path& build, std::function<int()>& chosen) {
  const auto asked = std::make_shared<ClassAsked>();
  CLI::App* command = program.add_subcommand("class", "Grade what a class handed in, and count its mistakes");
  command->add_option("FOLDER", asked->folder, "One folder or archive a student")->required();
  command->add_option("-o,--out", asked->page, "Also a page, which prints");
  command->add_option("--csv", asked->csv, "Also a table for the gradebook");
  command->add_option("--names", asked->names, "CSV of lines 'folder,name': names, and who is missing");
  command->add_option("--lessons", asked->lessons, "Only these; without: all that anybody handed in")
      ->delimiter(',');
  command->add_flag("--unconfined", asked->unconfined,
                    "Without a sandbox: what students wrote runs with your rights");
  command->footer(
      "\nEach file is compiled and run in a sandbox (bubblewrap), with no network, nothing of your files, and limits\n"
      "of time, memory and processes. What was graded before is not graded again. See docs/teaching.md.\n"
      "\nExamples:\n  ./headlight class handed_in -o class.html\n  ./headlight class handed_in --lessons 2,3 --csv "
      "marks.csv");
  command->callback([&chosen, asked, source, build] {
    chosen = [asked, source, build] { return grade(*asked, source, build); };
  });
}

}  // namespace headlight::course
