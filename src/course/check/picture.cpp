#include "picture.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>

#include "headlight/core/check.h"
#include "headlight/draw/color.h"
#include "headlight/system/file_kind.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/system/json.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"
#include "show.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// The last line that begins so, without its beginning.
std::optional<std::string> last_line(const std::string& output, const std::string& beginning) {
  const std::vector<std::string> lines = text_lines(output);
  const auto found = std::find_if(lines.rbegin(), lines.rend(),
                                  [&](const auto& line) { return line.starts_with(beginning); });
  if (found == lines.rend()) return {};
  return found->substr(beginning.size());
}

// What the program of lessons/show.h prints. It runs confined as a checker does, since the learner's code is
// in it. Where that ends the program, it runs again without the part.
nlohmann::json drawn(const fs::path& program, const grader::Verdict& verdict) {
  constexpr std::chrono::seconds kMost{120};
  const int mode = static_cast<int>(draw::color_mode());
  Command draw{.words = {program.string(), std::to_string(mode)}};
  for (const auto& part : verdict.parts)
    if (part.solved()) draw.words.push_back(part.name);
  draw.environment = {{"COLUMNS", std::to_string(draw::terminal_columns())}};
  draw.confined = Confinement{kMost, std::size_t{2} << 30};
  draw.limit = 6 * kMost;
  for (;;) {
    const Ended ended = run_process(draw);
    const std::string open = "{\"name\":";
    const std::optional<std::string> picture = last_line(ended.output, open);
    if (ended.ok() && picture) return json_from<nlohmann::json>(open + *picture);
    const bool slow = ended.timed_out || ended.signal == SIGXCPU;
    const std::optional<std::string> part = last_line(ended.output, show::kDrawing);
    const auto word = std::ranges::find(draw.words, part.value_or(""));
    if ((slow || ended.signal.value_or(0) != 0) && word != draw.words.end()) {
      *word += slow ? fmt::format("=was still running after {} seconds", kMost.count()) : "=crashed";
      continue;
    }
    const std::vector<std::string> words = text_lines(ended.errors);
    fail("[show] expected a picture, got: {}", words.empty() ? "nothing" : printable(words.back()));
  }
}

void check_has_picture(const Learner& learner, const Lesson& lesson) {
  std::vector<std::string> numbers;
  for (const Lesson& each : learner.lessons())
    if (has_picture(learner.places(), each)) numbers.push_back(each.typed());
  headlight::check(has_picture(learner.places(), lesson),
                   "lesson {} has no picture that your functions draw. The lessons that have one are {}.",
                   lesson.typed(), fmt::join(numbers, ", "));
}

}  // namespace

bool has_picture(const Places& places, const Lesson& lesson) {
  return fs::exists(places.lessons / lesson.folder / "show.cpp");
}

std::string picture_offer(const Places& places, const Lesson& lesson, const Findings& found) {
  if (!found.verdict || !has_picture(places, lesson)) return "";
  const std::string drawing = read_file(places.lessons / lesson.folder / "show.cpp");
  const auto is_drawn = [&](const auto& part) {
    return part.solved() && drawing.find(part.name + "(") != std::string::npos;
  };
  if (std::ranges::none_of(found.verdict->parts, is_drawn)) return "";
  return fmt::format("What your functions draw: ./headlight show {}\n", lesson.typed());
}

KeptPicture show(Learner& learner, const fs::path& build, const Lesson& lesson, const OnProgress& progress) {
  check_has_picture(learner, lesson);
  const Findings found = learner.check(lesson, progress);
  headlight::check(found.verdict.has_value(),
                   "my/{}.cpp does not compile yet. Hint: ./headlight check {} says where.", lesson.folder,
                   lesson.typed());
  const std::string target = "show_" + lesson.folder;
  const Built built = build_target(build, target, progress, std::chrono::minutes(10));
  headlight::check(built.ok, "the picture's program could not be built: {}", errors_of(built.log, 20));
  const nlohmann::json picture = drawn(build / "lessons" / target, *found.verdict);
  const std::string name = fmt::format("{}_{}.svg", lesson.number, picture.at("name").get<std::string>());
  const fs::path file = learner.places().my / name;
  check_same_kind(file, {"show", "SVG picture", "<svg"});
  write_file(file, picture.at("svg").get<std::string>());
  return {"my/" + name, picture.at("text").get<std::string>()};
}

}  // namespace headlight::course
