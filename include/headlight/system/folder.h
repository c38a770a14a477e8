// Folders that are replaced as a whole, and folders that one process locks.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/system.h"

namespace headlight {

// While it exists, no process can create another FolderLock on this folder. The folder need not exist. The
// lock ends with the process, also after a crash. Throws Error when another FolderLock has the folder, and
// names its process and what this runs, when nothing can be written beside the folder, when a link or a
// folder there has the lock's name, and for a folder with a name of ours.
class FolderLock {
 public:
  // `command` is what this process runs, for the error that another process gets.
  explicit FolderLock(const std::filesystem::path& folder, const std::string& command = {});

  // The folder, as resolve() gives it.
  const std::filesystem::path& folder() const { return folder_; }

  // An absolute path without symbolic links.
  static std::filesystem::path resolve(const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
  MadeFolders parents_;
  system::FileLock lock_;
};

// True for the files that a new version of the folder replaces. All other files are carried over.
using OwnFile = std::function<bool(const std::filesystem::directory_entry& entry)>;

// The new version is in its place all the same. What went wrong came after.
class PlacedError : public Error {
 public:
  PlacedError(const std::string& what, const std::filesystem::path& folder);
};

// A new version of a folder, written beside it. place() replaces the folder in one step of the file system,
// so at any time the folder is the complete old one or the complete new one. Without place() nothing changes.
// Linux and macOS can exchange two folders. On other systems, and on file systems that cannot, a process that
// is killed between two renames leaves the old folder under a hidden name; the next FolderDraft or
// settle_folder() restores it. They also bring back files that were still to be carried over.
class FolderDraft {
 public:
  // A draft that will replace the lock's folder. Removes what a killed process left of an earlier draft.
  // Throws Error when the folder cannot be replaced, and when a link or a file has the draft's name, which
  // then stays as it is.
  FolderDraft(const FolderLock& lock, OwnFile own);
  ~FolderDraft();
  FolderDraft(const FolderDraft&) = delete;
  FolderDraft& operator=(const FolderDraft&) = delete;

  // An empty folder to write the new version to.
  const std::filesystem::path& path() const { return draft_; }

  // Replaces the folder. Files of the old folder that are not `own` move to the new one; one whose name is
  // taken there gets a "~" behind it. So does a file or a link that has taken the folder's name meanwhile,
  // and the old folder with what cannot be moved: a folder that this user may not write, or another file
  // system. The new folder belongs to whom the old one belongs, as far as this user may give it away. Throws
  // Error when the draft is no longer where it was made, and PlacedError.
  void place();

 private:
  std::filesystem::path target_, draft_;
  OwnFile own_;
  std::optional<system::OpenFolder> made_;
};

// The path with as many "~" behind it as make it a name that is free.
std::filesystem::path free_name(std::filesystem::path path);

// Puts a "~" behind the name, or as many as make it a name that is free. Throws Error.
void set_aside(const std::filesystem::path& path);

// Removes the lock of a process that is gone. One that is held stays.
void remove_abandoned_lock(const std::filesystem::path& folder) noexcept;

// For who only reads the folder: finishes what a killed FolderDraft left half done. Does nothing when nothing
// is left, while another process has the lock, where nothing can be written, and when a link or a file has
// the name of what is left.
void settle_folder(const std::filesystem::path& folder, const OwnFile& own);

}  // namespace headlight
