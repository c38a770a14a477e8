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

// The value of --out, or the usual folder. "" when only help was asked for.
std::filesystem::path folder_from(int argc, char** argv, const std::string& name) {
  const std::string number = name.substr(0, name.find('_'));
  std::filesystem::path folder = std::filesystem::path("runs") / "lessons" / name;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      fmt::print(
          "./headlight lesson {0}              build and run this lesson; its text is lessons/{1}/README.md\n"
          "./headlight lesson {0} --out DIR    write its pictures there instead of {2}/\n",
          number, name, folder.string());
      return {};
    }
    check(argument == "--out", "a lesson takes --out DIR and no other argument, but '{}' was given.",
          argument);
    check(i + 1 < argc && *argv[i + 1] != '\0', "--out needs the name of a folder.");
    folder = argv[++i];
  }
  return folder;
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
    const std::filesystem::path folder = folder_from(argc, argv, name);
    if (folder.empty()) return;
    make_folder(folder);
    lesson(Pictures(folder));
  });
}

}  // namespace headlight::lesson
