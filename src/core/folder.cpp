#include "headlight/core/folder.h"

#include <system_error>

#include "headlight/core/check.h"

namespace headlight::inline HEADLIGHT_PRECISION {
namespace {

namespace fs = std::filesystem;

// "runs/.demo.lock": hidden, beside the folder.
fs::path beside(const fs::path& folder, const std::string& what) {
  return folder.parent_path() / ("." + folder.filename().string() + what);
}

void move_over(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  check(!error, "cannot move '{}' to '{}': {}.", from.string(), to.string(), error.message());
}

// Moves files that are not `own` from one folder to another, unless the other has a file of that name.
void carry_over(const fs::path& from, const fs::path& to, const OwnFile& own) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(from, error)) {
    const std::string name = entry.path().filename().string();
    const bool unfinished =
        name.starts_with('.') && name.ends_with(".part");  // of a file that was being written
    if (!unfinished && !own(name) && !fs::exists(fs::symlink_status(to / name)))
      move_over(entry.path(), to / name);
  }
}

}  // namespace

namespace {

system::FileLock lock_beside(const fs::path& folder, const fs::path& as_given) {
  std::error_code error;
  check(!fs::exists(folder, error) || fs::is_directory(folder, error), "'{}' is a file, not a folder.",
        as_given.string());
  fs::create_directories(folder.parent_path(), error);
  check(!error, "cannot make the folder '{}': {}.", folder.parent_path().string(), error.message());
  std::optional<system::FileLock> lock = system::FileLock::try_to_take(beside(folder, ".lock"));
  check(lock.has_value(), "another run is writing to '{}'. Hint: wait for it, or choose another folder.",
        as_given.string());
  return std::move(*lock);
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder)
    : folder_(resolve(folder)), lock_(lock_beside(folder_, folder)) {}

// The last parts need not exist, and there may be a slash at the end.
fs::path FolderLock::resolve(const fs::path& folder) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(folder), error);
  check(!error && path.has_relative_path(), "cannot use the folder '{}'.", folder.string());
  return path.has_filename() ? path : path.parent_path();
}

FolderDraft::FolderDraft(const FolderLock& lock, OwnFile own)
    : target_(lock.folder()), draft_(beside(target_, ".draft")), own_(std::move(own)) {
  std::error_code error;
  check(!fs::equivalent(target_, fs::current_path(error), error),
        "cannot replace '{}' while working in it. Hint: go one folder up.", target_.string());
  recover();
  const bool made = fs::create_directory(draft_, error);
  check(made, "cannot write to the folder '{}': {}.", target_.parent_path().string(), error.message());
}

// An existing draft was left by a process that was killed, before its place() or within. Its files that are
// not `own` came from the old folder.
void FolderDraft::recover() const {
  std::error_code error;
  if (!fs::exists(draft_, error)) return;
  if (!fs::exists(target_, error) && fs::exists(beside(target_, ".old"), error))
    move_over(beside(target_, ".old"), target_);
  if (fs::exists(target_, error)) carry_over(draft_, target_, own_);
  fs::remove_all(draft_, error);
  check(!error, "cannot remove '{}': {}.", draft_.string(), error.message());
}

FolderDraft::~FolderDraft() {
  std::error_code error;
  fs::remove_all(draft_, error);
}

void FolderDraft::place() {
  system::flush_folder(draft_);
  std::error_code error;
  if (!fs::exists(target_, error)) {
    move_over(draft_, target_);
  } else if (system::exchange(draft_, target_)) {
    carry_over(draft_, target_, own_);
  } else {
    const fs::path old = beside(target_, ".old");
    fs::remove_all(old, error);
    move_over(target_, old);
    move_over(draft_, target_);
    carry_over(old, target_, own_);
    fs::remove_all(old, error);
  }
  system::flush_folder(target_.parent_path());
  fs::remove_all(draft_, error);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION
