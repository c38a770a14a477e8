#include "run_reader.h"

#include "fields.h"
#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/sha256.h"

namespace headlight::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSavedAnew = "the run '{}' was saved anew while it was read. Hint: call again.";

bool is_any(const fs::path& file) {
  std::error_code error;
  return fs::symlink_status(file, error).type() != fs::file_type::not_found;
}

// Whether summary.json says that the run wrote a manifest. Damage is for those to tell who read the results.
bool names_manifest(const fs::path& summary) {
  try {
    return Fields::of_text(read_file(summary, kMostFieldBytes)).has("manifest");
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::shared_ptr<FirstManifest> no_manifest_yet() { return std::make_shared<FirstManifest>(); }

bool FirstManifest::is(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!text_) text_ = text;
  return *text_ == text;
}

RunReader::RunReader(const RunFolder& folder) : folder_(folder) {
  if (folder_.trusted) return;
  const fs::path file = path(files::kManifest);
  const bool there = is_any(file);
  check(there || !names_manifest(path(files::kSummary)),
        "'{}', which the run wrote, is not there. Hint: --trust reads the run without it.", file.string());
  try {
    if (there) manifest_text_ = read_file(file, kMostFieldBytes);
    if (there) manifest_ = manifest_from_json(manifest_text_, file.string());
  } catch (const Error& e) {
    fail("{} Hint: --trust reads the run without it.", e.what());
  }
  check(folder_.first->is(manifest_text_), kSavedAnew, folder_.path.string());
}

void of_one_save(const RunFolder& folder, const std::function<void()>& read) {
  try {
    read();
  } catch (const Error&) {
    RunReader{folder};  // files of two saves do not fit each other
    throw;
  }
  RunReader{folder};
}

bool RunReader::has(const std::string& name) const {
  const bool there = is_any(path(name));
  if (!manifest_) return there;
  const bool written = manifest_->find(name) != nullptr;
  if (there && !written) refuse(name, "it wrote no such file");
  check(there || !written, "'{}', which the run wrote, is not there. Hint: --trust reads the run without it.",
        path(name).string());
  return there;
}

std::string RunReader::read(const std::string& name, std::size_t most) const {
  check_size(name);
  std::string bytes = read_file(path(name), most);
  check_bytes(name, bytes);
  return bytes;
}

train::SafetensorsFile RunReader::arrays(const std::string& name, std::uint64_t most) const {
  check_size(name);
  const std::string file = path(name).string();
  // Damage that the header shows is not told of a file that another one has replaced.
  const std::string bytes = manifest_ ? read_file(file, most) : train::read_safetensors(file, most);
  check_bytes(name, bytes);
  return train::safetensors_from(bytes, file);
}

void RunReader::check_all() const {
  if (!manifest_) return;
  for (const ManifestFile& file : manifest_->files) (void)read(file.name, train::kMostWeightBytes);
}

void RunReader::check_size(const std::string& name) const {
  if (!manifest_ || !has(name)) return;
  std::error_code error;
  const std::uint64_t wrote = manifest_->find(name)->bytes;
  if (!fs::is_regular_file(path(name), error)) return;  // read_file tells
  const std::uint64_t now = fs::file_size(path(name), error);
  if (!error && now != wrote) refuse(name, fmt::format("it has {} instead of {} bytes", now, wrote));
}

void RunReader::check_bytes(const std::string& name, const std::string& bytes) const {
  if (!manifest_) return;
  const ManifestFile* wrote = manifest_->find(name);
  if (wrote == nullptr) refuse(name, "it wrote no such file");
  if (wrote->bytes != bytes.size() || wrote->sha256 != sha256(bytes))
    refuse(name, fmt::format("its SHA-256 is not the one in {}", files::kManifest));
}

void RunReader::refuse(const std::string& name, const std::string& why) const {
  // While this file was read, a training may have saved the run anew.
  check(read_file(path(files::kManifest), kMostFieldBytes) == manifest_text_, kSavedAnew,
        folder_.path.string());
  fail("'{}' is not the file that the run wrote: {}. Hint: --trust reads it all the same.",
       path(name).string(), why);
}

}  // namespace headlight::run
