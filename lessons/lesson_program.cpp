#include "lesson_program.h"

#include <sstream>
#include <string_view>

#include "headlight/core/check.h"
#include "headlight/draw/color.h"
#include "headlight/system/file_kind.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"
#include "headlight/system/text.h"

namespace headlight::lesson {
namespace {

struct Arguments {
  std::filesystem::path folder, text;  // the values of --out, or the usual folder, and of --text
  bool help = false;
};

void print_help(const std::string& name, const std::string& folder, bool takes_text) {
  const std::string number = name.substr(0, name.find('_'));
  fmt::print(
      "./headlight lesson {0}              build and run this lesson; its text is lessons/{1}/README.md\n"
      "./headlight lesson {0} --out DIR    write its pictures there instead of {2}/\n",
      number, name, folder);
  if (takes_text) fmt::print("./headlight lesson {} --text FILE  run it on a text of yours\n", number);
}

Arguments arguments_of(int argc, char** argv, const std::string& name, bool takes_text) {
  Arguments read{std::filesystem::path("runs") / "lessons" / name, {}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      print_help(name, read.folder.string(), takes_text);
      read.help = true;
      return read;
    }
    const bool is_text = takes_text && argument == "--text";
    check(argument == "--out" || is_text, "{}, but '{}' was given.",
          takes_text ? "this lesson takes --out DIR, --text FILE and no other argument"
                     : "a lesson takes --out DIR and no other argument",
          argument);
    check(i + 1 < argc && *argv[i + 1] != '\0', "{} needs the name of a {}.", argument,
          is_text ? "file" : "folder");
    (is_text ? read.text : read.folder) = argv[++i];
  }
  return read;
}

void run_lesson(const Arguments& arguments, const LessonOnText& lesson) {
  if (arguments.help) return;
  make_folder(arguments.folder);
  lesson(Pictures(arguments.folder), arguments.text);
}

}  // namespace

void section(const std::string& title) {
  if (draw::color_mode() == draw::ColorMode::none)
    fmt::print("\n{}\n\n", title);
  else
    fmt::print("\n\x1b[1m{}\x1b[0m\n\n", title);
}

void show(const std::string& lines) {
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) fmt::print("  {}\n", line);
}

void show_refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    show(error.what());
    return;
  }
  fail("[show_refusal] expected an Error, and none was raised.");
}

const char* yes(bool answer) { return answer ? "yes" : "no"; }

void Pictures::write(const std::string& name, const std::string& svg) const {
  const std::filesystem::path file = folder_ / name;
  check_same_kind(file, {"--out", "SVG picture", "<svg"});
  write_file(file, svg);
  fmt::print("[picture: {}]\n", printable(file.string()));
}

int run(int argc, char** argv, const std::string& name, const std::function<void(const Pictures&)>& lesson) {
  return run_main([&] {
    run_lesson(arguments_of(argc, argv, name, false),
               [&](const Pictures& pictures, const std::filesystem::path&) { lesson(pictures); });
  });
}

int run_on_text(int argc, char** argv, const std::string& name, const LessonOnText& lesson) {
  return run_main([&] { run_lesson(arguments_of(argc, argv, name, true), lesson); });
}

}  // namespace headlight::lesson
