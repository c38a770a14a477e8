// What the programs of all lessons share: their arguments, sections, lines and pictures.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace headlight::lesson {

// The heading of a section.
void section(const std::string& title);

// A line of text, fmt-style. The sign ⏱ says that times follow, up to the end of the line: they differ from
// run to run, so the tests leave them out.
template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  fmt::print(text, std::forward<Args>(args)...);
  fmt::print("\n");
}

// Text of several lines, set in by two spaces.
void show(const std::string& lines);

// Calls f, which must raise an Error, and shows what the Error says.
void show_refusal(const std::function<void()>& f);

// "yes" or "no".
const char* yes(bool answer);

// The folder for the pictures of a run.
class Pictures {
 public:
  explicit Pictures(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Writes <folder>/<name> and says so. Throws Error when it cannot.
  void write(const std::string& name, const std::string& svg) const;

 private:
  std::filesystem::path folder_;
};

// The whole of a lesson's main(): reads the arguments (`--out DIR`; runs/lessons/<name> without), calls
// `lesson` and returns the exit status: 0, or 2 after an error, which is reported in one sentence.
int run(int argc, char** argv, const std::string& name, const std::function<void(const Pictures&)>& lesson);

// The same for a lesson that can also read a text of the reader's (`--text FILE`; "" without).
using LessonOnText = std::function<void(const Pictures&, const std::filesystem::path& text)>;
int run_on_text(int argc, char** argv, const std::string& name, const LessonOnText& lesson);

}  // namespace headlight::lesson
