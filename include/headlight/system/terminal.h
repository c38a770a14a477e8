// A terminal as a screen: drawn whole, keys read one by one, files watched meanwhile.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headlight::system {

// What a screen waited for.
struct ScreenEvent {
  enum Kind { nothing, key, file_changed, resized, ended };
  Kind kind = nothing;
  char key_pressed = 0;
};

// The terminal in the alternate screen, without echo, until the object is gone. The terminal is as before
// then, and also when the process ends by a signal.
class Screen {
 public:
  // Looks five times a second whether one of these files has changed.
  // Throws Error when standard input or output is no terminal.
  explicit Screen(std::vector<std::filesystem::path> watched);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  std::size_t columns() const;
  std::size_t rows() const;

  // Shows these lines from the top. What is beyond the last row is left out.
  void draw(const std::vector<std::string>& lines);

  // The next event; `nothing` when none comes within the time. `ended` when Ctrl-C or a signal asks to end.
  ScreenEvent wait(std::chrono::milliseconds limit);

  // Gives the terminal back while something else uses it, and takes it again: its keys alone, or all of it.
  void leave();
  void enter_keys();
  void enter();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace headlight::system
