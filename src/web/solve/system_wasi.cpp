// What a page has in place of an operating system: no terminal, no other process, no signals.
#include <cstdlib>

#include "headlight/core/check.h"
#include "headlight/system/crash.h"
#include "headlight/system/file_error.h"
#include "headlight/system/interrupt.h"
#include "headlight/system/machine.h"
#include "headlight/system/pages.h"
#include "headlight/system/plugin.h"
#include "headlight/system/quiet.h"
#include "headlight/system/system.h"

namespace headlight {

void report_crashes() {}  // the page does

InterruptScope::InterruptScope() = default;
InterruptScope::~InterruptScope() = default;
bool InterruptScope::requested() { return false; }

BrokenPipeScope::BrokenPipeScope() = default;
BrokenPipeScope::~BrokenPipeScope() = default;

QuietScope::QuietScope() : output_(-1), errors_(-1) {}
QuietScope::~QuietScope() { static_cast<void>(output_), static_cast<void>(errors_); }

namespace system {

bool is_terminal(std::FILE*) { return false; }
void hold_standard_streams() {}
void notice_ended_children() {}
std::optional<std::size_t> terminal_columns() { return {}; }
long process_number() { return 1; }
long parent_process_number() { return 0; }
void report_size_limit() {}
bool exchange(const std::filesystem::path&, const std::filesystem::path&) { return false; }

// There is no other process that could have it.
std::optional<FileLock> FileLock::try_to_take(const std::filesystem::path& path) {
  return FileLock(path, -1);
}
FileLock::FileLock(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
FileLock::FileLock(FileLock&& other) noexcept = default;
FileLock::~FileLock() { static_cast<void>(file_); }

std::string host_name() { return "page"; }
int cores() { return 1; }
int usable_cores() { return 1; }
std::filesystem::path program_file() { return {}; }

char* reserve_pages(std::size_t) { return nullptr; }
bool open_pages(char*, std::size_t) { return false; }
bool close_pages(char*, std::size_t) { return false; }

const void* symbol_of(const std::filesystem::path& library, const std::string&) {
  fail_file("cannot open the library '{}': a page has none.", library.string());
}

}  // namespace system
}  // namespace headlight
