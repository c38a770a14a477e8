#include "headlight/system/run_main.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "headlight/core/buffer_pool.h"
#include "headlight/core/check.h"
#include "headlight/system/system.h"
#include "headlight/system/text.h"

namespace headlight {
namespace {

constexpr std::size_t kLongest = 980;  // columns of an error
constexpr const char *kNoMemory = "there is not enough memory for these sizes.",
                     *kNoOutput = "cannot write to standard output.";

// What was printed before the error comes before it in a shared output, too.
int report(std::string_view message) noexcept {
  std::fflush(stdout);
  try {
    print_note("headlight: " + cut_in_middle(printable(message), kLongest) + "\n");
  } catch (...) {  // no memory for the sentence
    print_note("headlight: there is not enough memory.\n");
  }
  return kError;
}

int report_refusal(const std::filesystem::filesystem_error& e) noexcept {
  try {
    const std::string path = e.path1().string(), reason = e.code().message();
    return report(fmt::format("cannot use '{}': {}.", path, reason));
  } catch (...) {
    return report(kNoMemory);
  }
}

int run_guarded(const std::function<int()>& body) {
  const int status = body();
  check(std::fflush(stdout) == 0 && std::ferror(stdout) == 0, "{}", kNoOutput);
  return status;
}

}  // namespace

void print_note(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

int run_main(const std::function<int()>& body) {
  system::report_size_limit();
  system::hold_standard_streams();
  system::notice_ended_children();
  try {
    return run_guarded(body);
  } catch (const Error& e) {
    return report(e.what());
  } catch (const OutOfMemory& e) {
    return report(e.what());
  } catch (const std::bad_alloc&) {
    return report(kNoMemory);
  } catch (const std::length_error&) {  // more than a container can hold
    return report(kNoMemory);
  } catch (const std::filesystem::filesystem_error& e) {
    return report_refusal(e);
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) return report(kNoOutput);  // said by fmt in other words
    try {
      return report(std::string(e.what()) + ".");
    } catch (...) {
      return report(kNoMemory);
    }
  }
}

}  // namespace headlight
