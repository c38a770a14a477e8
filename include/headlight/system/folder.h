// Folders that are replaced as a whole, and that one process at a time writes.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "headlight/system/system.h"

namespace headlight {

// Files below a folder: their names, with '/', and their bytes.
using Files = std::map<std::string, std::string>;

// True for the name of a file or folder that a new version of the folder replaces. All others are the user's.
using OwnName = std::function<bool(const std::string& name)>;

// While it exists, no process can make another FolderLock on this folder, which need not exist. It ends with
// the process, also after a crash. Throws FileError when another one has the folder, and when nothing can be
// written beside it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

  // The same, but returns nothing when another one has the folder.
  static std::optional<FolderLock> try_to_take(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }  // resolved

  // An absolute path without symbolic links. Throws FileError for what is there and is not a folder.
  static std::filesystem::path resolve(const std::filesystem::path& folder);

 private:
  FolderLock(std::filesystem::path resolved, system::FileLock lock);
  std::filesystem::path folder_;
  system::FileLock lock_;
};

// Writes the files to a new folder beside the lock's and puts it into its place in one step of the file
// system. So after a crash at any moment, or on a full disk, the folder is the whole old one or the whole new
// one. The old folder's files that are not `own` move to the new one; one whose name is taken there gets a
// "~" behind it. Throws FileError, and changes nothing, when the files cannot be written, and when this
// process works in the folder.
void replace_folder(const FolderLock& lock, const Files& files, const OwnName& own);

// Throws FileError when this process works in the folder or below it, so that replace_folder() would.
void check_not_working_in(const std::filesystem::path& folder);

// Finishes what a killed replace_folder() left: moves the user's files to the folder, and removes the rest.
// Does nothing when nothing is left, while another process has the lock, and where nothing can be written.
void recover_interrupted_save(const std::filesystem::path& folder, const OwnName& own);

}  // namespace headlight
