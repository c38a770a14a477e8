#include "watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "headlight/core/check.h"
#include "headlight/system/terminal.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

using system::Screen;
using system::ScreenEvent;

constexpr const char* kKeys =
    "h hint   n next part   r run the lesson   d draw   l list   s solution   q quit";

// At most so many columns; escape sequences take none and are kept.
std::string cut_line(const std::string& line, std::size_t columns) {
  std::string out;
  std::size_t count = 0;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    const bool escape = line[at] == '\x1b';
    if (escape)
      end = std::min(line.find('m', at), line.size() - 1) + 1;
    else
      while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80U) ++end;
    if (escape || count < columns) out += line.substr(at, end - at);
    if (!escape) ++count;
    at = end;
  }
  return out;
}

// The loop's state: which lesson, what was found, and what stands on the screen instead when a key asked for
// it.
class Loop {
 public:
  Loop(Learner& learner, std::optional<std::size_t> part, bool color)
      : learner_(learner), part_(part), color_(color), lesson_(learner.lesson("")) {}

  const Lesson& lesson() const { return lesson_; }
  std::filesystem::path file() const { return paths_of(learner_.places(), lesson_).mine; }

  void grade(Screen& screen) {
    body_ = "Building and checking ...\n";
    draw(screen);
    try {
      const auto progress = [&](const std::string& what, std::size_t done, std::size_t all) {
        body_ = fmt::format("{}: {} of {} ...\n", what == "training" ? "Training" : "Building", done, all);
        draw(screen);
      };
      findings_ = learner_.check(lesson_, progress, part_);
      const auto& verdict = findings_->verdict;
      if (verdict && verdict->part < verdict->parts.size()) part_ = verdict->part;
      body_.clear();
    } catch (const Error& e) {
      findings_.reset();
      body_ = std::string(e.what()) + "\n";
    }
  }

  void draw(Screen& screen) const {
    const std::size_t columns = screen.columns();
    const std::string text = !body_.empty() ? body_
                             : findings_    ? findings_text(*findings_, lesson_, columns, color_)
                                            : "";
    screen.draw(watch_screen(lesson_, progress(), text, columns, screen.rows(), color_));
  }

  // False when the key says to end.
  bool press(char key, Screen& screen, const std::function<bool(const Lesson&)>& run_lesson,
             const std::function<bool(const Lesson&)>& show_picture) {
    switch (key) {
      case 'q':
        return false;
      case 'h':
        show([&] { return learner_.hint(lesson_, part_); }, screen);
        break;
      case 'l':
        show([&] { return lesson_list(learner_, screen.columns()); }, screen);
        break;
      case 's':
        show([&] { return learner_.solution(lesson_, false, screen.columns()); }, screen);
        break;
      case 'n':
        go_on(screen);
        break;
      case 'r':
        run_lesson(lesson_);
        break;
      case 'd':
        show_picture(lesson_);
        break;
      default:
        body_.clear();  // back to what was found
    }
    return true;
  }

 private:
  std::string progress() const {
    const LessonProgress& done = learner_.progress().of(lesson_.folder);
    return progress_bar(done.solved) + (part_ ? fmt::format("   part {}", *part_ + 1) : "");
  }

  template <class F>
  void show(F words, Screen& screen) {
    std::string text;
    try {
      text = words();
    } catch (const Error& e) {
      text = e.what();
    }
    body_.clear();
    for (const std::string& paragraph : text_lines(text)) {
      if (paragraph.find("│") != std::string::npos || paragraph.starts_with(" ") ||
          paragraph.starts_with("→"))
        body_ += paragraph + "\n";
      else
        for (const std::string& line : wrapped(paragraph, screen.columns())) body_ += line + "\n";
    }
  }

  void go_on(Screen& screen) {
    const Lesson* next = learner_.next(lesson_);
    const std::vector<bool>& solved = learner_.progress().of(lesson_.folder).solved;
    if (const auto part = next_unsolved(solved, part_.value_or(0))) {
      part_ = part;
      grade(screen);
    } else if (!learner_.solved(lesson_)) {
      body_ = "Nothing was graded yet.\n";
    } else if (next == nullptr) {
      body_ = "That was the last exercise.\n";
    } else {
      lesson_ = *next, part_.reset();
      show([&] { return learner_.start(lesson_.number); }, screen);
    }
  }

  Learner& learner_;
  std::optional<std::size_t> part_;  // in work; nothing before the first verdict
  bool color_;
  Lesson lesson_;
  std::optional<Findings> findings_;
  std::string body_;
};

// Shows what `act` prints, such as the lesson's own output, on the normal screen until a key is pressed.
// False when the process shall end.
bool run_on_normal_screen(Screen& screen, const Lesson& lesson,
                          const std::function<void(const Lesson&)>& act) {
  screen.leave();
  act(lesson);
  fmt::print("\nPress a key to go back.\n");
  std::fflush(stdout);
  screen.enter_keys();
  ScreenEvent event;
  while (event.kind != ScreenEvent::key && event.kind != ScreenEvent::ended)
    event = screen.wait(std::chrono::hours(1));
  screen.enter();
  return event.kind == ScreenEvent::key;
}

}  // namespace

std::optional<std::size_t> next_unsolved(const std::vector<bool>& solved, std::size_t part) {
  for (std::size_t i = 1; i <= solved.size(); ++i)
    if (const std::size_t next = (part + i) % solved.size(); !solved[next]) return next;
  return {};
}

std::vector<std::string> watch_screen(const Lesson& lesson, const std::string& progress,
                                      const std::string& body, std::size_t columns, std::size_t rows,
                                      bool color) {
  const std::string bold = color ? "\x1b[1m" : "", dim = color ? "\x1b[2m" : "", off = color ? "\x1b[0m" : "";
  std::vector<std::string> lines{bold + lesson.number + " " + lesson.name + off + "   " + progress, ""};
  std::vector<std::string> found = text_lines(body);
  constexpr std::size_t kFrame = 4;  // the title, the keys, and an empty line at each
  const std::size_t room = rows > kFrame ? rows - kFrame : 1;
  if (found.size() > room) {
    found.resize(room - 1);
    found.push_back(dim + "... more: ./headlight check shows all of it" + off);
  }
  lines.insert(lines.end(), found.begin(), found.end());
  while (lines.size() + 1 < rows) lines.emplace_back();
  lines.push_back(dim + kKeys + off);
  if (lines.size() > rows) lines.resize(rows);
  for (std::string& line : lines) line = cut_line(line, columns);
  return lines;
}

int watch(Learner& learner, std::optional<std::size_t> part, bool color,
          const std::function<void(const Lesson&)>& run_lesson,
          const std::function<void(const Lesson&)>& show_picture) {
  for (;; part.reset()) {  // once for each lesson, whose file is watched
    Loop loop(learner, part, color);
    Screen screen({loop.file()});
    loop.grade(screen);
    const std::string watched = loop.lesson().folder;
    while (loop.lesson().folder == watched) {
      loop.draw(screen);
      const ScreenEvent event = screen.wait(std::chrono::hours(1));
      if (event.kind == ScreenEvent::ended) return 0;
      if (event.kind == ScreenEvent::file_changed) loop.grade(screen);
      if (event.kind != ScreenEvent::key) continue;
      const auto run = [&](const Lesson& lesson) { return run_on_normal_screen(screen, lesson, run_lesson); };
      const auto draw = [&](const Lesson& lesson) {
        return run_on_normal_screen(screen, lesson, show_picture);
      };
      if (!loop.press(event.key_pressed, screen, run, draw)) return 0;
    }
  }
}

}  // namespace headlight::course
