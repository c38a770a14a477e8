// Lessons in a temporary folder, with a compiler and a grader made up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "course/check/learner.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"
#include "temporary_folder.h"

namespace headlight::course {

namespace fs = std::filesystem;

// Two lessons with an exercise and one without. A part is solved when its name stands in the learner's file.
class School {
 public:
  School() {
    for (const std::string lesson : {"01_first", "02_second", "03_third"}) {
      fs::create_directories(folder_.path() / "lessons" / lesson);
      write_file(
          file("lessons/" + lesson + "/README.md"),
          "# Lesson 1: L\n\n**Afterwards you can** do it.\n\n**Takes** 5 minutes to read and 6 to solve.\n");
    }
    for (const std::string lesson : {"01_first", "03_third"}) {
      write_file(file("lessons/" + lesson + "/exercise.cpp"),
                 "// Part 1 ★  add\n// Part 2 ★★  walk, an experiment\n");
      write_file(
          file("lessons/" + lesson + "/kept.h"),
          "namespace lesson_01 {\n// Adds.\nint add(const int& a,\n        int b);\n\nint walk(int n);\n}\n");
      write_file(file("lessons/" + lesson + "/solution.cpp"), "add walk\n");
      write_file(
          file("lessons/" + lesson + "/hints.md"),
          "# Hints\n\n## add\n\n1. Look at the sum.\n2. It is a sum\n   of two.\n\n✓ Lesson 3\n  adds.\n\n"
          "## walk\n\n1. Walk back.\n");
    }
  }

  fs::path file(const std::string& name) const { return folder_.path() / name; }
  std::string mine(const std::string& lesson) const { return read_file(file("my/" + lesson + ".cpp")); }

  Learner learner() {
    return {{file("lessons"), file("my")},
            {[this](const Lesson& lesson) {
               return lesson.folder == "03_third" ? third_uses : std::vector<std::string>{};
             },
             [this](const Lesson&, const fs::path&, const OnProgress&) {
               ++builds;
               if (on_build) on_build();
               if (breaks && breaks()) return Built{false, false, "used.cpp:1:1: error: no\n"};
               if (!fails_with.empty()) return Built{false, false, fails_with};
               const std::string source = mine("01_first");
               const bool ok = source.find("broken") == std::string::npos;
               return Built{ok, false, ok ? "" : "my/01_first.cpp:1:1: error: expected ';' before 'x'\n"};
             },
             [this](const Lesson& lesson, const fs::path& file, std::optional<std::size_t> part,
                    const OnProgress&) {
               graded.push_back(part);
               const std::string source = without_comments(read_file(file));
               grader::Verdict v;
               if (source.starts_with("early")) {
                 v.kind = grader::Kind::crashed;
                 v.message = "it ended the program (exit 0)";
                 return v;
               }
               v.lesson = lesson.folder;
               std::vector<grader::Verdict> all;
               v.parts = {{"add", 1}, {"walk", 2}};
               for (v.part = 0; v.part < 2; ++v.part) {
                 if (part && *part != v.part) continue;
                 const std::string& name = v.parts[v.part].name;
                 v.kind = source.find(name) != std::string::npos      ? grader::Kind::solved
                          : source.find("wrong") != std::string::npos ? grader::Kind::wrong_numbers
                                                                      : grader::Kind::not_written;
                 v.call = name + "(1, 2)";
                 all.push_back(v);
               }
               return grader::whole_verdict(all);
             }}};
  }

  std::vector<std::string> third_uses;  // earlier lessons
  int builds = 0;
  std::vector<std::optional<std::size_t>> graded;  // which part each time
  std::function<void()> on_build;
  std::function<bool()> breaks;  // whether the build fails outside of the learner's file
  std::string fails_with;        // what a build prints that fails for another reason than the code

 private:
  static std::string without_comments(const std::string& text) {
    std::string rest;
    for (const std::string& line : text_lines(text))
      if (!line.starts_with("//")) rest += line + "\n";
    return rest;
  }

  TemporaryFolder folder_;
};

}  // namespace headlight::course
