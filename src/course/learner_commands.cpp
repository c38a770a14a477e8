#include "learner_commands.h"

#include <fmt/core.h>

#include <cstdlib>
#include <memory>

#include "book/book.h"
#include "check_command.h"
#include "course/check/picture.h"
#include "course/check/toolchain.h"
#include "course/check/watch.h"
#include "course_map.h"
#include "course_page.h"
#include "headlight/draw/page_policy.h"
#include "headlight/system/file_kind.h"
#include "headlight/system/files.h"
#include "headlight/system/open_in_browser.h"
#include "headlight/system/process.h"
#include "headlight/system/run_main.h"
#include "headlight/system/system.h"
#include "headlight/system/text.h"
#include "program/exit_status.h"
#include "progress_line.h"

namespace headlight::course {
namespace {

struct Asked {
  std::string lesson;
  bool anyway = false, no_color = false;
  CheckOptions check;
  std::string page, map, book;  // files

  bool color() const {
    const char* no = std::getenv("NO_COLOR");
    return !no_color && (no == nullptr || *no == '\0') && system::is_terminal(stdout);
  }
};

std::size_t width() { return std::max<std::size_t>(40, system::terminal_columns().value_or(80)); }

Learner learner_of(const std::filesystem::path& source, const std::filesystem::path& build,
                   bool name_all = false) {
  const Places places{source / "lessons", source / "my"};
  for (const std::string& renamed : follow_numbers(places.my, lessons_in(places.lessons)))
    note("headlight: {}", renamed);
  return {places, build_folder_tools(build, std::chrono::minutes(10), name_all)};
}

int list_lessons(const Learner& learner, const Asked& asked) {
  const auto write = [](const std::string& file, const FileKind& kind, const std::string& text) {
    check_same_kind(file, kind);
    write_file(file, text);
    fmt::print("{}\n", file);
  };
  if (!asked.page.empty()) write(asked.page, {"--page", "page", "<!DOCTYPE html>"}, course_page(learner));
  if (!asked.map.empty())
    write(asked.map, {"--map", "SVG picture", "<svg"},
          course_map(course_of(learner), roads_of(learner), learner.progress()));
  if (asked.page.empty() && asked.map.empty())
    fmt::print("{}\nRead them in the book: ./headlight book. ./headlight start 2 lays out an exercise.\n",
               lesson_list(learner, width()));
  return 0;
}

// Writes the book, and opens it at a chapter unless the file was named. An archive of ./headlight package has
// it ready, since to make it takes pandoc.
int write_book(const Learner& learner, const std::filesystem::path& build, const std::string& file,
               const std::string& chapter) {
  const std::filesystem::path path = file.empty() ? "runs/book.html" : file;
  check_same_kind(path.string(), {"--out", "page", "<!DOCTYPE html>"});
  if (file.empty()) std::filesystem::create_directories(path.parent_path());
  const bool solve = std::getenv("HEADLIGHT_SOLVE") != nullptr;  // set by src/web/site/run
  const std::filesystem::path ready = build / "book.html";
  write_file(path,
             std::filesystem::exists(ready) ? read_file(ready) : book(learner, draw::built_engine(), solve));
  fmt::print("{}\n", path.string());
  std::fflush(stdout);
  if (file.empty()) open_in_browser(path, chapter);
  return 0;
}

void list_options(CLI::App& lessons, Asked& asked) {
  lessons.add_option("--page", asked.page,
                     "Write a page instead: the map of the course, and a summary of each part to print");
  lessons.add_option("--map", asked.map, "Write the map alone, as SVG");
}

}  // namespace

void build_or_fail(const std::filesystem::path& build, const std::string& target) {
  const Built built = build_target(build, target, show_progress);
  clear_progress();
  constexpr std::size_t kMostLines = 60;
  if (!built.ok) print_note(errors_of(built.log, kMostLines));
  check(built.ok, "the build failed (above).");
}

int read_lesson(const std::filesystem::path& source, const std::filesystem::path& build,
                const Lesson& lesson) {
  return write_book(learner_of(source, build), build, "", "lesson-" + lesson.number);
}

int run_lesson(const std::filesystem::path& build, const Lesson& lesson, std::vector<std::string> arguments) {
  const std::string program = "lesson_" + lesson.folder;
  build_or_fail(build, program);
  arguments.insert(arguments.begin(), (build / "lessons" / program).string());
  return run_attached(arguments);
}

namespace {

void print_picture(Learner& learner, const std::filesystem::path& build, const Lesson& lesson) {
  const KeptPicture kept = show(learner, build, lesson, show_progress);
  clear_progress();
  fmt::print("{}[picture: {}]\n", kept.text, kept.name);
}

// Checks at each save; a key runs the lesson, another shows the picture.
int watch_lesson(Learner& learner, const Asked& a, const std::filesystem::path& build) {
  const Wanted wanted = learner.wanted(a.lesson);
  if (!a.lesson.empty()) (void)learner.start(wanted.lesson.number);
  const auto saying_errors = [](const auto& act) {
    return [act](const Lesson& lesson) {
      try {
        act(lesson);
      } catch (const Error& e) {
        note("headlight: {}", e.what());
      }
    };
  };
  return watch(learner, wanted.part, a.color(),
               saying_errors([&](const Lesson& lesson) { (void)run_lesson(build, lesson, {}); }),
               saying_errors([&](const Lesson& lesson) { print_picture(learner, build, lesson); }));
}

// What there is to read. `add` adds a command.
template <class Add>
void add_reading(const Add& add, Asked& asked, const std::filesystem::path& build) {
  list_options(*add("lessons", "List the lessons, with what you have solved", nullptr,
                    "  ./headlight lessons\n  ./headlight lessons --page course.html",
                    [](Learner& learner, const Asked& a) { return list_lessons(learner, a); }),
               asked);
  add("book", "All lessons as one page: formulas, pictures, answers, glossary", nullptr,
      "  ./headlight book\n  ./headlight book -o book.html\n  ./headlight lesson 7 --read   # the book at "
      "lesson 7",
      [build](Learner& learner, const Asked& a) { return write_book(learner, build, a.book, ""); })
      ->add_option("-o,--out", asked.book,
                   "Only write it, to this file (default: runs/book.html, which is opened in the browser)");
}

constexpr const char* kLesson = "Its number; without: the one in work";
constexpr const char* kLessonOrPart = "Its number, or 3.4 for part 4 of lesson 3; without: the one in work";

// What goes on while an exercise is being solved.
void add_at_work(const auto& add, Asked& asked, const std::filesystem::path& build) {
  add("watch", "Check one part at each save; a key moves on to the next", kLessonOrPart,
      "  ./headlight watch\n  ./headlight watch 3.4",
      [build](Learner& learner, const Asked& a) { return watch_lesson(learner, a, build); })
      ->add_flag("--no-color", asked.no_color, "Draw in plain text");
  add("show", "Draw the lesson's picture with your functions, beside ours", kLesson,
      "  ./headlight show 2   # keeps my/02_descent.svg\n\nWhat is not solved yet is drawn by ours, in grey.",
      [build](Learner& learner, const Asked& a) {
        return print_picture(learner, build, learner.lesson(a.lesson)), 0;
      });
}

}  // namespace

void add_learner_commands(CLI::App& program, const std::filesystem::path& source,
                          const std::filesystem::path& build, std::function<int()>& chosen) {
  const auto asked = std::make_shared<Asked>();
  const auto add = [&](const char* name, const char* help, const char* takes_lesson, const char* examples,
                       auto act) {
    CLI::App* command = program.add_subcommand(name, help);
    if (takes_lesson) command->add_option("LESSON", asked->lesson, takes_lesson);
    command->footer(std::string("\nExamples:\n") + examples);
    command->callback([&chosen, act, asked, source, build] {
      chosen = [act, asked, source, build] {
        Learner learner = learner_of(source, build, asked->check.json);
        return act(learner, *asked);
      };
    });
    return command;
  };
  add_reading(add, *asked, build);
  add("start", "Lay an exercise into your folder my/", kLesson,
      "  ./headlight start 3\n  ./headlight start --class DIR   # for a teacher: a folder to hand out (--help)",
      [](Learner& learner, const Asked& a) { return fmt::print("{}", learner.start(a.lesson)), 0; });
  add_check_options(*add("check", "Build your solution and say what is right and what is wrong",
                         kLessonOrPart, kCheckExamples,
                         [](Learner& learner, const Asked& a) {
                           return check_and_print(learner, a.lesson, a.check, width(), a.color());
                         }),
                    asked->check, asked->no_color);
  add_at_work(add, *asked, build);
  add("hint", "One hint more for the part in work", kLessonOrPart,
      "  ./headlight hint\n  ./headlight hint 3.4", [](Learner& learner, const Asked& a) {
        const auto [lesson, part] = learner.wanted(a.lesson);
        for (const std::string& paragraph : text_lines(learner.hint(lesson, part)))
          for (const std::string& line : wrapped(paragraph, width())) fmt::print("{}\n", line);
        return 0;
      });
  add("solution", "The solution beside yours, after you have solved it", kLesson,
      "  ./headlight solution 3\n  ./headlight solution 3 --anyway",
      [](Learner& learner, const Asked& a) {
        return fmt::print("{}", learner.solution(learner.lesson(a.lesson), a.anyway, width())), 0;
      })
      ->add_flag("--anyway", asked->anyway, "Also before it is solved");
  add("reset", "The exercise anew; your old file is kept beside it", kLesson, "  ./headlight reset 3",
      [](Learner& learner, const Asked& a) { return fmt::print("{}", learner.reset(a.lesson)), 0; });
}

}  // namespace headlight::course
