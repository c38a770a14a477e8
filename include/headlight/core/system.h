// What only the operating system can do. Its calls stand in src/core/*_posix.cpp and in no other file; what
// Linux alone has is used where it is there, with a portable way beside it. For another system, write those
// files again. Child processes: process.h.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

namespace headlight::inline HEADLIGHT_PRECISION::system {

bool is_terminal(std::FILE* stream);

// The width of the terminal that standard output goes to; nothing when it goes elsewhere.
std::optional<std::size_t> terminal_columns();

// The number of this process, for names that no other process uses.
long process_number();

// A file that is being written. Errors name the path and give the system's reason.
class OutputFile {
 public:
  // Makes the file, or empties it. Throws Error.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws Error, when the disk is full for example.
  void write(std::string_view bytes);

  // Waits until the bytes are on the disk, and closes the file. Throws Error.
  void finish();

 private:
  std::filesystem::path path_;
  int file_;
};

// Waits until the names in a folder are on the disk: a file is safe there only after that. Does nothing where
// folders cannot be flushed. Throws Error when the disk fails.
void flush_folder(const std::filesystem::path& folder);

// Two files or folders change places, in one step that cannot be seen half done. False where the system or
// its file system cannot do that: Linux and macOS can. Throws Error for any other failure.
bool exchange(const std::filesystem::path& a, const std::filesystem::path& b);

// Keeps other processes that ask for the same lock out, until it is gone or the process has ended. Its file
// goes with it.
class FileLock {
 public:
  // Makes the file when it is missing. Nothing when another process, or another lock of this one, has it.
  // Throws Error when the file cannot be had.
  static std::optional<FileLock> try_to_take(const std::filesystem::path& file);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  FileLock(std::filesystem::path path, int file);
  std::filesystem::path path_;
  int file_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::system
