// Functions of the operating system. Only src/application/system/*_posix.cpp call it; for another system,
// rewrite those files. Features that only Linux has are used there, with a portable alternative. Child
// processes are in process.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headlight::system {

// Microseconds, so that all dates that people write fit.
using FileTime = std::chrono::sys_time<std::chrono::microseconds>;

// Whether the stream is a terminal.
bool is_terminal(std::FILE* stream);

// Opens those of standard input, output and error that are closed, so that no file that the program opens
// gets their numbers and with them what is printed. Reading finds the end, and writing still fails.
void hold_standard_streams();

// Lets the system report how children end. A program inherits from its parent that this is ignored.
void notice_ended_children();

// The width of the terminal of standard output; nothing when standard output is not a terminal.
std::optional<std::size_t> terminal_columns();

// The number of this process, for names that no other process uses.
long process_number();

// That of the process that started this one.
long parent_process_number();

// A file open for writing. Errors name the path and give the system's reason.
class OutputFile {
 public:
  // Creates the file, or empties the one that is there. Errors name it `shown`, or by its path. Throws
  // FileError.
  explicit OutputFile(std::filesystem::path path, std::filesystem::path shown = {});
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws FileError, for example when the disk is full.
  void write(std::string_view bytes);

  // Waits until the bytes are on the disk. Throws FileError.
  void flush();

  // Throws FileError, for example when the disk failed.
  void close();

 private:
  std::filesystem::path path_;
  int file_;
};

// When the file or folder was last written; nothing when it is not there, or outside the years 1 to 9999.
// Of std::filesystem the nanoseconds overflow for times that some file systems can hold.
std::optional<FileTime> last_written(const std::filesystem::path& path);

// From now on a write beyond the limit of file sizes (ulimit -f) fails with a reason. Before, its signal ends
// the process without a word.
void report_size_limit();

// Waits until the names in a folder are on the disk, which makes a renamed file safe. Does nothing where
// folders cannot be flushed. Throws FileError when the disk fails.
void flush_folder(const std::filesystem::path& folder);

// Exchanges two files or folders in one atomic step. False where the system or its file system cannot do
// this; Linux and macOS can. Throws FileError for any other failure.
bool exchange(const std::filesystem::path& a, const std::filesystem::path& b);

// Keeps other processes from taking the same lock, until the object or its process ends. Then its file is
// removed too.
class FileLock {
 public:
  // Creates the file if it is missing. Returns nothing when another FileLock, in any process, has it. Throws
  // Error when the file cannot be opened.
  static std::optional<FileLock> try_to_take(const std::filesystem::path& file);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  FileLock(std::filesystem::path path, int file);
  std::filesystem::path path_;
  int file_;
};

}  // namespace headlight::system
