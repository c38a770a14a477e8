#include "headlight/system/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "file_watch.h"
#include "headlight/core/check.h"

namespace headlight::system {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l", kLeave = "\x1b[?25h\x1b[?1049l";

// What a signal handler needs; one screen at a time has them.
struct Saved {
  termios before{};
  bool shown = false;
  std::array<int, 2> pipe{-1, -1};
} saved_terminal;

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void give_back() {
  if (!saved_terminal.shown) return;
  saved_terminal.shown = false;
  write_out(kLeave);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &saved_terminal.before);
}

// Wakes the waiting loop, which ends the screen in peace.
void note_signal(int signal) {
  const char byte = signal == SIGWINCH ? 'r' : 'e';
  const int before = errno;
  if (::write(saved_terminal.pipe[1], &byte, 1) < 0) errno = before;
}

// A crash: nothing but the terminal can be saved.
void end_badly(int signal) {
  give_back();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr std::array kAsked = {SIGINT, SIGTERM, SIGHUP, SIGWINCH},
                     kCrashes = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE};

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

struct Screen::Parts {
  explicit Parts(std::vector<std::filesystem::path> watched) : watch(std::move(watched)) {}
  FileWatch watch;
};

Screen::Screen(std::vector<std::filesystem::path> watched)
    : parts_(std::make_unique<Parts>(std::move(watched))) {
  check(::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1, "this needs a terminal to draw on.");
  check(::tcgetattr(STDIN_FILENO, &saved_terminal.before) == 0, "the terminal's settings cannot be read: {}.",
        std::strerror(errno));
  check(::pipe(saved_terminal.pipe.data()) == 0, "no pipe can be made: {}.", std::strerror(errno));
  for (const int end : saved_terminal.pipe) {
    (void)::fcntl(end, F_SETFL, O_NONBLOCK);
    (void)::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  for (const int signal : kAsked) handle(signal, note_signal);
  for (const int signal : kCrashes) handle(signal, end_badly);
  enter();
}

Screen::~Screen() {
  leave();
  for (const int signal : kAsked) handle(signal, SIG_DFL);
  for (const int signal : kCrashes) handle(signal, SIG_DFL);
  for (int& end : saved_terminal.pipe) {
    ::close(end);
    end = -1;
  }
}

void Screen::enter_keys() {
  termios raw = saved_terminal.before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;  // suspended, it would leave the terminal without echo
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  saved_terminal.shown = true;
}

void Screen::enter() {
  enter_keys();
  write_out(kEnter);
}

void Screen::leave() { give_back(); }

namespace {

winsize size_of_terminal() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 80, size.ws_row = 24;
  return size;
}

}  // namespace

std::size_t Screen::columns() const { return size_of_terminal().ws_col; }
std::size_t Screen::rows() const { return size_of_terminal().ws_row; }

void Screen::draw(const std::vector<std::string>& lines) {
  std::string text = "\x1b[H";
  const std::size_t count = std::min(lines.size(), rows());
  for (std::size_t i = 0; i < count; ++i) text += lines[i] + "\x1b[K" + (i + 1 < count ? "\r\n" : "");
  text += "\x1b[J";
  write_out(text);
}

ScreenEvent Screen::wait(std::chrono::milliseconds limit) {
  constexpr int kLook = 200;  // milliseconds between two looks at the files
  std::array<pollfd, 2> wanted{{{STDIN_FILENO, POLLIN, 0}, {saved_terminal.pipe[0], POLLIN, 0}}};
  const auto until = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    const int time = std::max(0, static_cast<int>(left.count()));
    (void)::poll(wanted.data(), wanted.size(), std::min(time, kLook));
    char byte = 0;
    if (::read(saved_terminal.pipe[0], &byte, 1) == 1)
      return {byte == 'r' ? ScreenEvent::resized : ScreenEvent::ended};
    if (parts_->watch.changed()) return {ScreenEvent::file_changed};
    if ((wanted[0].revents & (POLLIN | POLLHUP)) != 0) {
      if (::read(STDIN_FILENO, &byte, 1) != 1) return {ScreenEvent::ended};
      return {ScreenEvent::key, byte};
    }
    if (time == 0) return {};
  }
}

}  // namespace headlight::system
