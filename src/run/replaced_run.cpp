#include "replaced_run.h"

#include <algorithm>
#include <vector>

#include "fields.h"
#include "headlight/core/check.h"
#include "headlight/run/run_folder.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/system/sha256.h"
#include "headlight/train/safetensors.h"

namespace headlight::run {
namespace {

namespace fs = std::filesystem;

std::string manifest_text_in(const fs::path& folder) {
  try {
    return read_file(folder / files::kManifest, kMostFieldBytes);
  } catch (const Error&) {
    return {};
  }
}

std::vector<fs::directory_entry> run_entries_of(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (is_run_entry(*at)) entries.push_back(*at);
  return entries;
}

// Whether the file of this name has the bytes that its run wrote.
bool lists(const Manifest& manifest, const std::string& name, const fs::path& file) {
  const ManifestFile* const wrote = manifest.find(name);
  std::error_code error;
  if (wrote == nullptr || !fs::is_regular_file(fs::symlink_status(file, error))) return false;
  try {
    return fs::file_size(file, error) == wrote->bytes &&
           sha256(read_file(file, train::kMostWeightBytes)) == wrote->sha256;
  } catch (const Error&) {
    return false;
  }
}

bool lists_all_below(const Manifest& manifest, const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().lexically_relative(folder.parent_path()).generic_string();
    if (!fs::is_directory(at->symlink_status(error)) && !lists(manifest, name, at->path())) return false;
  }
  return !error;
}

}  // namespace

ReplacedRun::ReplacedRun(fs::path folder)
    : folder_(std::move(folder)), manifest_text_(manifest_text_in(folder_)) {
  try {
    if (!manifest_text_.empty()) manifest_ = manifest_from_json(manifest_text_, files::kManifest);
  } catch (const Error&) {  // it is damaged, and says nothing
  }
  for (const fs::directory_entry& entry : run_entries_of(folder_))
    names_.insert(entry.path().filename().string());
}

bool ReplacedRun::wrote(const fs::directory_entry& entry) const {
  const std::string name = entry.path().filename().string();
  if (!manifest_ || !can_be_listed(name)) return true;
  return name == files::kObservers ? lists_all_below(*manifest_, entry.path())
                                   : lists(*manifest_, name, entry.path());
}

void ReplacedRun::spare_others() const {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(folder_, error))) return;
  const std::string now = manifest_text_in(folder_);
  const bool damaged = !manifest_ && !manifest_text_.empty();  // it does not tell whose its files are
  if (damaged || (!now.empty() && now != manifest_text_)) {
    set_aside(folder_);
    return;
  }
  for (const fs::directory_entry& entry : run_entries_of(folder_))
    if (!names_.contains(entry.path().filename().string()) || !wrote(entry)) set_aside(entry.path());
}

}  // namespace headlight::run
