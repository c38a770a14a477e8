#include "headlight/system/folder.h"

#include <system_error>
#include <vector>

#include "headlight/system/file_error.h"
#include "headlight/system/files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

// A new version while it is written; after the exchange, the old one until it is removed.
fs::path draft_of(const fs::path& folder) { return hidden_name(folder, "draft"); }
// The old version for a moment, where a system cannot exchange two folders.
fs::path old_of(const fs::path& folder) { return hidden_name(folder, "old"); }

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

void move_to(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  check_file(!error, "cannot move '{}' to '{}': {}.", from.string(), to.string(), error.message());
}

fs::path free_name(fs::path path) {
  while (is_there(path)) path += "~";
  return path;
}

// Moves the user's files to `to`, which is made for them, then removes the folder. A user's file that cannot
// be moved keeps it.
void keep_foreign_files(const fs::path& from, const fs::path& to, const OwnName& own) {
  std::error_code error;
  std::vector<fs::path> foreign;
  for (fs::directory_iterator at(from, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string(); !own(name) && !is_temporary(name))
      foreign.push_back(at->path());
  check_file(!error, "cannot read the folder '{}': {}.", from.string(), error.message());
  if (!foreign.empty()) make_folder(to);
  for (const fs::path& path : foreign) move_to(path, free_name(to / path.filename()));
  fs::remove_all(from, error);
  check_file(!error, "cannot remove '{}': {}.", from.string(), error.message());
}

// A draft that was not exchanged has own files only, so both kinds are treated alike. Without the folder,
// which somebody removed, the user's files are all that comes back.
void recover(const fs::path& target, const OwnName& own) {
  const fs::path old = old_of(target), draft = draft_of(target);
  if (is_there(old) && !is_there(target)) move_to(old, target);
  for (const fs::path& left : {old, draft})
    if (is_there(left)) keep_foreign_files(left, target, own);
}

bool is_at_or_above(const fs::path& folder, fs::path at) {
  std::error_code error;
  for (; !fs::equivalent(folder, at, error); at = at.parent_path())
    if (!at.has_relative_path()) return false;
  return true;
}

FolderLock taken(const fs::path& folder) {
  std::optional<FolderLock> lock = FolderLock::try_to_take(folder);
  check_file(lock.has_value(),
             "another process is writing to '{}'. Hint: wait for it, or choose another folder.",
             folder.string());
  return std::move(*lock);
}

// In a draft, whose files need no names for a while: nobody reads it.
void write_in_draft(const fs::path& path, std::string_view bytes) {
  make_folder(path.parent_path());
  system::OutputFile file(path);
  file.write(bytes);
  file.flush();
  file.close();
  system::flush_folder(path.parent_path());
}

}  // namespace

fs::path FolderLock::resolve(const fs::path& folder) {
  std::error_code error;
  fs::path path = fs::absolute(folder, error);
  if (!error) path = fs::weakly_canonical(path, error);
  check_file(!error && path.has_relative_path(), "cannot use the folder '{}'.", folder.string());
  if (!path.has_filename()) path = path.parent_path();
  check_file(!is_there(path) || fs::is_directory(path, error), "'{}' is not a folder.", folder.string());
  return path;
}

FolderLock::FolderLock(fs::path resolved, system::FileLock lock)
    : folder_(std::move(resolved)), lock_(std::move(lock)) {}

std::optional<FolderLock> FolderLock::try_to_take(const fs::path& folder) {
  fs::path path = resolve(folder);
  make_folder(path.parent_path());
  std::optional<system::FileLock> lock = system::FileLock::try_to_take(hidden_name(path, "lock"));
  if (!lock) return {};
  return FolderLock(std::move(path), std::move(*lock));
}

FolderLock::FolderLock(const fs::path& folder) : FolderLock(taken(folder)) {}

void check_not_working_in(const fs::path& folder) {
  std::error_code error;
  check_file(!is_there(folder) || !is_at_or_above(folder, fs::current_path(error)),
             "cannot replace '{}' while working in it. Hint: go to a folder that is not below it.",
             folder.string());
}

void replace_folder(const FolderLock& lock, const Files& files, const OwnName& own) {
  const fs::path& target = lock.folder();
  const fs::path draft = draft_of(target);
  recover(target, own);
  check_not_working_in(target);
  std::error_code error;
  try {
    make_folder(draft);
    for (const auto& [name, bytes] : files) write_in_draft(draft / name, bytes);
    system::flush_folder(draft);
  } catch (...) {
    fs::remove_all(draft, error);
    throw;
  }
  if (!is_there(target)) {
    move_to(draft, target);
  } else if (!system::exchange(draft, target)) {
    move_to(target, old_of(target));
    move_to(draft, target);
  }
  system::flush_folder(target.parent_path());
  recover(target, own);
}

void recover_interrupted_save(const fs::path& folder, const OwnName& own) {
  try {
    const fs::path target = FolderLock::resolve(folder);
    if (!is_there(old_of(target)) && !is_there(draft_of(target))) return;
    const FolderLock lock(target);
    recover(target, own);
  } catch (const Error&) {  // what is there can still be read
  }
}

}  // namespace headlight
