// Folders that are replaced as a whole, and folders that one process locks.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "headlight/core/system.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// While it exists, no process can create another FolderLock on this folder. The folder need not exist. The
// lock ends with the process, also after a crash. Throws Error when another FolderLock has the folder, or
// when nothing can be written beside it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

  // The folder, as resolve() gives it.
  const std::filesystem::path& folder() const { return folder_; }

  // An absolute path without symbolic links.
  static std::filesystem::path resolve(const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
  system::FileLock lock_;
};

// True for the files that a new version of the folder replaces. All other files are carried over.
using OwnFile = std::function<bool(const std::string& name)>;

// A new version of a folder, written beside it. place() replaces the folder in one step of the file system,
// so at any time the folder is the complete old one or the complete new one. Without place() nothing changes.
// Linux and macOS can exchange two folders. On other systems a crash between two renames may leave the old
// folder under a hidden name; the next FolderDraft of the same folder restores it.
class FolderDraft {
 public:
  // A draft that will replace the lock's folder. Removes what a killed process left of an earlier draft.
  FolderDraft(const FolderLock& lock, OwnFile own);
  ~FolderDraft();
  FolderDraft(const FolderDraft&) = delete;
  FolderDraft& operator=(const FolderDraft&) = delete;

  // An empty folder to write the new version to.
  const std::filesystem::path& path() const { return draft_; }

  // Replaces the folder. Files of the old folder that are not `own` move to the new one.
  void place();

 private:
  void recover() const;

  std::filesystem::path target_, draft_;
  OwnFile own_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION
