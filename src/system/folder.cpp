#include "headlight/system/folder.h"

#include <fmt/chrono.h>

#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/system/text.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

// Where a system cannot exchange two folders, the old one is here for a moment.
fs::path old_of(const fs::path& folder) { return own_name(folder, "old"); }
fs::path draft_of(const fs::path& folder) { return own_name(folder, "draft"); }

// A symbolic link to nowhere is there, too.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}

void move_over(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  check(!error, "cannot move '{}' to '{}': {}.", from.string(), to.string(), error.message());
}

std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(*at);
  check(!error, "cannot read the folder '{}': {}.", folder.string(), error.message());
  return entries;
}

// A folder that this user may not write, another file system: trying again does not help.
bool lasts(const std::error_code& error) {
  return error == std::errc::permission_denied || error == std::errc::operation_not_permitted ||
         error == std::errc::device_or_resource_busy || error == std::errc::cross_device_link;
}

// Moves files that are not `own` into the folder `to`, one that another process is writing too. Then removes
// the own ones. Returns why one has to stay; empty: none has to.
std::string empty_into(const fs::path& from, const fs::path& to, const OwnFile& own) {
  std::vector<fs::path> old;
  std::string stays;
  std::error_code error;
  for (const fs::directory_entry& entry : entries_of(from)) {
    const fs::path name = entry.path().filename();
    if (is_unfinished(name.string())) system::remove_abandoned(entry.path());
    if (own(entry)) {
      old.push_back(entry.path());
    } else if (is_there(entry.path())) {
      fs::rename(entry.path(), free_name(to / name), error);
      if (error)
        stays = fmt::format("cannot move '{}' into '{}': {}.", name.string(), to.string(), error.message());
      check(!error || lasts(error), "{}", stays);
    }
  }
  for (const fs::path& path : old) {
    fs::remove_all(path, error);
    if (error) stays = fmt::format("cannot remove '{}': {}.", path.string(), error.message());
    check(!error || lasts(error), "{}", stays);
  }
  return stays;
}

// Empties a folder that is left beside its target, and removes it. A process that still has the old folder
// open may put a file there meanwhile; then it is not empty yet. What has to stay must not be in the way of
// every later version: it gets a name that the user sees.
void dissolve(const fs::path& left, const fs::path& target, const OwnFile& own) {
  constexpr int kTries = 10;
  std::error_code error;
  for (int tries = 0; tries < kTries; ++tries) {
    if (const std::string stays = empty_into(left, target, own); !stays.empty()) {
      const fs::path beside = free_name(target.string() + "~");
      move_over(left, beside);
      fail("{} It stays in '{}'.", stays, beside.string());
    }
    fs::remove(left, error);
    if (error != std::errc::directory_not_empty) break;
  }
  check(!error, "cannot remove '{}': {}.", left.string(), error.message());
}

// What is left of a folder that was moved or removed since: what is not `own` gets a name that the user sees.
void dissolve_alone(const fs::path& left, const fs::path& target, const OwnFile& own) {
  std::error_code error;
  for (const fs::directory_entry& entry : entries_of(left)) {
    if (is_unfinished(entry.path().filename().string())) system::remove_abandoned(entry.path());
    if (own(entry)) fs::remove_all(entry.path(), error);
  }
  fs::remove(left, error);
  if (error == std::errc::directory_not_empty) return move_over(left, free_name(target.string() + "~"));
  check(!error, "cannot remove '{}': {}.", left.string(), error.message());
}

bool is_at_or_above(const fs::path& folder, fs::path at) {
  std::error_code error;
  for (; !fs::equivalent(folder, at, error); at = at.parent_path())
    if (!at.has_relative_path()) return false;
  return true;
}

// What is under a name of ours must be a folder of ours. A symbolic link would lead to another one's files.
void require_own_folder(const fs::path& path) {
  check(!is_there(path) || is_folder(path),
        "'{}' has the name of a folder that Headlight writes, but is a link or a file. Hint: delete it.",
        path.string());
}

// Brings back what a process left that was killed, or failed, within place() or before. A draft has own files
// until it is exchanged; then it has the old folder's.
void settle(const fs::path& target, const OwnFile& own) {
  const fs::path old = old_of(target), draft = draft_of(target);
  for (const fs::path& left : {old, draft}) require_own_folder(left);
  if (is_there(old) && !is_there(target)) move_over(old, target);
  for (const fs::path& left : {old, draft})
    if (is_there(left)) (is_there(target) ? dissolve : dissolve_alone)(left, target, own);
}

// "process 1234, ./headlight train --layers 1, since 2025-11-22 12:03"
std::string owner_now(const std::string& command) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  constexpr std::size_t kColumns = 80;
  return fmt::format("process {}, {}since {:%Y-%m-%d %H:%M}", system::process_number(),
                     command.empty() ? "" : cut_to(printable(command), kColumns) + ", ", fmt::localtime(now));
}

system::FileLock lock_beside(const fs::path& folder, const fs::path& as_given, const std::string& command) {
  const fs::path file = own_name(folder, "lock");
  std::string owner;
  constexpr int kTries = 500;  // a second, while the owner has not written its name
  for (int tries = 0; owner.empty() && tries < kTries; ++tries) {
    if (auto lock = system::FileLock::try_to_take(file, owner_now(command))) return std::move(*lock);
    owner = printable(system::FileLock::owner_of(file));
    if (owner.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  fail("another run{} is writing to '{}'. Hint: wait for it, or choose another folder.",
       owner.empty() ? "" : " (" + owner + ")", as_given.string());
}

fs::path checked_folder(const fs::path& folder) {
  fs::path path = FolderLock::resolve(folder);
  check_not_own_name(path);
  std::error_code error;
  check(!fs::is_symlink(fs::symlink_status(path, error)), "'{}' is a symbolic link to nowhere.",
        folder.string());
  check(!fs::exists(path, error) || fs::is_directory(path, error), "'{}' is a file, not a folder.",
        folder.string());
  return path;
}

}  // namespace

fs::path free_name(fs::path path) {
  while (is_there(path)) path += "~";
  return path;
}

PlacedError::PlacedError(const std::string& what, const fs::path& folder)
    : Error(fmt::format("{} What was saved is in '{}' all the same.", what, folder.string())) {}

FolderLock::FolderLock(const fs::path& folder, const std::string& command)
    : folder_(checked_folder(folder)),
      parents_(folder_.parent_path()),
      lock_(lock_beside(folder_, folder, command)) {}

// The last parts need not exist, and there may be a slash at the end.
fs::path FolderLock::resolve(const fs::path& folder) {
  std::error_code error;
  fs::path path = fs::absolute(folder, error);
  if (!error) path = fs::weakly_canonical(path, error);
  check(!error && path.has_relative_path(), "cannot use the folder '{}'.", folder.string());
  return path.has_filename() ? path : path.parent_path();
}

FolderDraft::FolderDraft(const FolderLock& lock, OwnFile own)
    : target_(lock.folder()), draft_(draft_of(target_)), own_(std::move(own)) {
  std::error_code error;
  settle(target_, own_);
  if (is_folder(target_)) {
    check(!is_at_or_above(target_, fs::current_path(error)),
          "cannot replace '{}' while working in it. Hint: go to a folder that is not below it.",
          target_.string());
    check((fs::status(target_, error).permissions() & fs::perms::sticky_bit) == fs::perms::none,
          "cannot replace '{}': other users' files may be there. Hint: choose a folder below it.",
          target_.string());
    check(!system::is_mount_point(target_),
          "cannot replace '{}': another file system begins there. Hint: choose a folder below it.",
          target_.string());
    check(system::may_write(target_), "cannot write to the folder '{}': it is read-only.", target_.string());
  }
  const bool made = fs::create_directory(draft_, error);
  check(made, "cannot write to the folder '{}': {}.", target_.parent_path().string(), error.message());
  made_.emplace(draft_);
}

FolderDraft::~FolderDraft() {
  try {
    settle(target_, own_);
  } catch (...) {  // it stays for the next one
  }
}

void FolderDraft::place() {
  check(made_->is_at(draft_), "'{}' was moved or removed while it was written.", draft_.string());
  system::flush_folder(draft_);
  std::error_code error;
  const fs::path old = old_of(target_);
  if (is_there(target_) && !is_folder(target_)) set_aside(target_);  // put there since the folder was locked
  if (!is_there(target_)) {
    made_->show();
    move_over(draft_, target_);
  } else {
    made_->become_like(target_);
    if (!system::exchange(draft_, target_)) {
      move_over(target_, old);
      move_over(draft_, target_);
    }
  }
  try {
    system::flush_folder(target_.parent_path());
    settle(target_, own_);
  } catch (const Error& e) {
    throw PlacedError(e.what(), target_);
  }
}

void remove_abandoned_lock(const fs::path& folder) noexcept {
  try {
    system::remove_abandoned(own_name(FolderLock::resolve(folder), "lock"));
  } catch (const Error&) {  // no folder has such a path
  }
}

void set_aside(const fs::path& path) { move_over(path, free_name(path)); }

void settle_folder(const fs::path& folder, const OwnFile& own) {
  try {
    const fs::path target = FolderLock::resolve(folder);
    if (!is_there(old_of(target)) && !is_there(draft_of(target))) return;
    const FolderLock lock(target);
    settle(target, own);
  } catch (const Error&) {  // what is there can still be read
  }
}

}  // namespace headlight
