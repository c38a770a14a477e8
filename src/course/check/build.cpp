#include "build.h"

#include <cstdio>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/system/process.h"
#include "headlight/system/run_main.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

constexpr int kLockIsTaken = 75, kTimedOut = 124, kKilled = 137;  // ninja itself ends with 0, 1 or 2

// Reads ninja's status lines, whose form NINJA_STATUS sets: "[12/96] Building …".
class StatusLines {
 public:
  explicit StatusLines(OnProgress progress) : progress_(std::move(progress)) {}

  void read(std::string_view piece) {
    line_ += piece;
    for (std::size_t end; (end = line_.find('\n')) != std::string::npos; line_.erase(0, end + 1)) {
      std::size_t done = 0, all = 0;
      const bool status = std::sscanf(line_.c_str(), "[%zu/%zu]", &done, &all) == 2;
      if (status && done > 0 && progress_) progress_("building", done, all);  // 0: before the build
    }
  }

 private:
  OnProgress progress_;
  std::string line_;
};

}  // namespace

Built build_target(const std::filesystem::path& folder, const std::string& target, const OnProgress& progress,
                   std::optional<std::chrono::seconds> most) {
  StatusLines status(progress);
  std::vector<std::string> ninja{"ninja", "-C", folder.string(), target};
  if (most)  // by timeout, at whose signal ninja ends its compilers too
    ninja.insert(ninja.begin(), {"timeout", "--foreground", "-k", "5", std::to_string(most->count()), "sh",
                                 "-c", "ulimit -v 4194304 2>/dev/null; exec \"$@\"", "sh"});
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), ninja.begin(), ninja.end());
    return run_process({.words = words,
                        .environment = {{"NINJA_STATUS", "[%f/%t] "}},
                        .on_output = [&](std::string_view piece) { status.read(piece); }});
  };
  const std::string lock = (folder / ".lock").string();
  Ended ended = run({"flock", "--no-fork", "-n", "-E", std::to_string(kLockIsTaken), lock});
  if (ended.status == kLockIsTaken) {
    note("headlight: another ./headlight is building here; waiting");
    ended = run({"flock", "--no-fork", lock});
  }
  if (!ended.found) {  // a system without flock
    ninja = {"ninja", "-C", folder.string(), target};
    ended = run({});
  }
  check(ended.found, "ninja is not installed. Hint: ./headlight --version installs what is missing.");
  return {ended.ok(), ended.status == kTimedOut || ended.status == kKilled, ended.output + ended.errors};
}

std::string errors_of(const std::string& log, std::size_t most_lines) {
  std::string errors;
  for (const std::string& line : text_lines(log)) {
    if (line.starts_with('[') || line.starts_with("ninja: Entering directory")) continue;
    if (most_lines == 0) break;
    errors += line + "\n";
    --most_lines;
  }
  return errors;
}

}  // namespace headlight::course
