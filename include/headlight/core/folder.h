// Folders that change as a whole, and folders that one process has to itself.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "headlight/core/system.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// While it lives, no other FolderLock on this folder can be made, in any process. The folder need not exist.
// The lock goes with the process, however that ends. Throws Error when somebody else has it, or when nothing
// can be written beside the folder.
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

// Says of a file of a folder whether it belongs to what is replaced; what does not is carried over.
using OwnFile = std::function<bool(const std::string& name)>;

// A new version of a folder, made beside it. place() puts it there in one step of the file system: at any
// moment the folder is the old one, complete, or the new one, complete. Without place() nothing has happened.
// Where the system cannot exchange two folders (Linux and macOS can), a crash between two renames may leave
// the old folder under its hidden name; the next FolderDraft of the same folder brings it back.
class FolderDraft {
 public:
  // The lock's folder is to be replaced. Clears away what an earlier draft left behind when its process was
  // killed.
  FolderDraft(const FolderLock& lock, OwnFile own);
  ~FolderDraft();
  FolderDraft(const FolderDraft&) = delete;
  FolderDraft& operator=(const FolderDraft&) = delete;

  // An empty folder to write the new version to.
  const std::filesystem::path& path() const { return draft_; }

  // Files of the old folder that are not its own go over to the new one.
  void place();

 private:
  void recover() const;

  std::filesystem::path target_, draft_;
  OwnFile own_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION
