#include "manifest.h"

#include <algorithm>

#include "fields.h"
#include "headlight/run/run_folder.h"
#include "headlight/system/files.h"
#include "headlight/system/sha256.h"
#include "headlight/train/safetensors.h"
#include "json.h"

namespace headlight::run {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kManifestFormat = 1;

ordered_json list_of(const Manifest& manifest) {
  ordered_json list = ordered_json::array();
  for (const ManifestFile& file : manifest.files)
    list.push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return list;
}

// "observers/mine.json" is below the folder, "../config.json" and "/etc/hosts" are not.
bool is_below(const std::string& name) {
  const fs::path path = name;
  return !name.empty() && path.is_relative() && path.lexically_normal().generic_string() == name &&
         *path.begin() != "..";
}

bool name_before(const ManifestFile& a, std::string_view name) { return a.name < name; }

}  // namespace

const ManifestFile* Manifest::find(std::string_view name) const {
  const auto at = std::lower_bound(files.begin(), files.end(), name, name_before);
  return at != files.end() && at->name == name ? &*at : nullptr;
}

bool can_be_listed(std::string_view name) {
  return name != files::kPage && name != files::kOwnTokens && name != files::kFailed &&
         name != files::kManifest;
}

Manifest manifest_of(const fs::path& folder) {
  Manifest manifest;
  std::error_code error, no_file;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().lexically_relative(folder).generic_string();
    if (!at->is_regular_file(no_file) || !can_be_listed(name)) continue;
    const std::string bytes = read_file(at->path(), train::kMostWeightBytes);
    manifest.files.push_back({name, bytes.size(), sha256(bytes)});
  }
  check(!error, "cannot read the folder '{}': {}.", folder.string(), error.message());
  std::sort(manifest.files.begin(), manifest.files.end(),
            [](const ManifestFile& a, const ManifestFile& b) { return a.name < b.name; });
  return manifest;
}

std::string to_json(const Manifest& manifest) {
  const ordered_json list = list_of(manifest);
  return ordered_json{{"format", kManifestFormat}, {"files", list}, {"sha256", sha256(list.dump())}}.dump(2) +
         "\n";
}

Manifest manifest_from_json(const std::string& text, const std::string& file) {
  return undamaged(file, [&] {
    const Fields fields = Fields::of_text(text);
    const std::int64_t format = fields.count("format");
    check(format == kManifestFormat, "it has format {}; this version of Headlight reads format {}", format,
          kManifestFormat);
    Manifest manifest;
    for (const Fields& one : fields.objects("files")) {
      ManifestFile listed{one.text("name"), one.seed("bytes"), one.text("sha256")};
      check(is_below(listed.name), "it names '{}', which is not in its folder", listed.name);
      check(manifest.files.empty() || manifest.files.back().name < listed.name,
            "its files are not in the order of their names");
      manifest.files.push_back(std::move(listed));
    }
    check(fields.text("sha256") == sha256(list_of(manifest).dump()),
          "its list does not have the hash at its end");
    return manifest;
  });
}

void write_manifest(const fs::path& folder) {
  write_file(folder / files::kManifest, to_json(manifest_of(folder)));
}

}  // namespace headlight::run
