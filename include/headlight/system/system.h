// Functions of the operating system. Only src/core/*_posix.cpp call it; for another system, rewrite those
// files. Features that only Linux has are used there, with a portable alternative. Child processes are in
// process.h.
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

bool is_terminal(std::FILE* stream);

// Opens those of standard input, output and error that are closed, so that no file of ours gets their numbers
// and with them what is printed. Reading finds the end, and writing still fails.
void hold_standard_streams();

// Lets the system tell how children end. A program inherits from its parent that this is ignored.
void notice_ended_children();

// The width of the terminal of standard output; nothing when standard output is not a terminal.
std::optional<std::size_t> terminal_columns();

// The bytes that this process may use at most: the machine's memory, or less where a limit of the process or
// of its control group is lower. The largest number where the system does not tell.
std::size_t usable_memory();

// The number of this process, for names that no other process uses.
long process_number();

// A file open for writing, and locked until then. Errors name the path and give the system's reason.
class OutputFile {
 public:
  // Creates the file. Errors name it `shown`, or by its path. Throws Error, also when there is something with
  // this name, if only a symbolic link.
  explicit OutputFile(std::filesystem::path path, std::filesystem::path shown = {});
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws Error, for example when the disk is full.
  void write(std::string_view bytes);

  // Waits until the bytes are on the disk. Throws Error.
  void flush();

  // Throws Error, for example when the disk failed.
  void close();

 private:
  std::filesystem::path path_;
  int file_;
};

// Removes a file that was an OutputFile of a process that is gone. One that is still open stays.
void remove_abandoned(const std::filesystem::path& file) noexcept;

// Nothing happens where they cannot.
void remove_file(const std::filesystem::path& file) noexcept;
void remove_empty_folder(const std::filesystem::path& folder) noexcept;

// When the file or folder was last written; nothing when it is not there, or outside the years 1 to 9999.
// Of std::filesystem the nanoseconds overflow for times that some file systems can hold.
std::optional<FileTime> last_written(const std::filesystem::path& path);

// Whether this user may create and remove files in the folder.
bool may_write(const std::filesystem::path& folder);

// Whether another file system begins at the folder. Such a folder can be neither renamed nor exchanged.
bool is_mount_point(const std::filesystem::path& folder);

// From now on a write beyond the limit of file sizes (ulimit -f) fails with a reason. Before, its signal ends
// the process without a word.
void report_size_limit();

// Waits until the names in a folder are on the disk, which makes a renamed file safe. Does nothing where
// folders cannot be flushed. Throws Error when the disk fails.
void flush_folder(const std::filesystem::path& folder);

// Exchanges two files or folders in one atomic step. False where the system or its file system cannot do
// this; Linux and macOS can. Throws Error for any other failure.
bool exchange(const std::filesystem::path& a, const std::filesystem::path& b);

// A folder that this process made, and that only its user can read until it is shown.
class OpenFolder {
 public:
  // Throws Error when it cannot be opened.
  explicit OpenFolder(const std::filesystem::path& folder);
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  ~OpenFolder();

  // Whether the path still names this folder.
  bool is_at(const std::filesystem::path& path) const;

  // Gives it the permissions that it was made with, or those of another folder with its owner and group, as
  // far as this user may.
  void show() const;
  void become_like(const std::filesystem::path& other) const;

 private:
  int file_ = -1;
  unsigned mode_ = 0;  // that it was made with
};

// Keeps other processes from taking the same lock, until the object or its process ends. Then its file is
// removed too.
class FileLock {
 public:
  // Creates the file if it is missing, and writes the owner to it. Returns nothing when another FileLock, in
  // any process, has it. Throws Error when the file cannot be opened, and when what has its name is no file,
  // or a symbolic or hard link, which then stays as it is.
  static std::optional<FileLock> try_to_take(const std::filesystem::path& file, std::string_view owner = {});

  // What the one that has the lock wrote as its owner, at most 1,000 bytes; empty when it wrote nothing yet.
  static std::string owner_of(const std::filesystem::path& file);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  FileLock(std::filesystem::path path, int file);
  std::filesystem::path path_;
  int file_;
};

}  // namespace headlight::system
