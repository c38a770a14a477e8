// manifest.json: the files that a run wrote, with their sizes and hashes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::run {

struct ManifestFile {
  std::string name;  // below the folder, with '/'
  std::uint64_t bytes = 0;
  std::string sha256;
};

// In the order of their names.
struct Manifest {
  std::vector<ManifestFile> files;

  const ManifestFile* find(std::string_view name) const;  // null for another file
};

// False for the manifest itself, and for the pages and other files that commands write again later.
bool can_be_listed(std::string_view name);

// Of the files that are in the folder and below it, as far as they can be listed.
Manifest manifest_of(const std::filesystem::path& folder);

// JSON that ends with a hash of the list. manifest_from_json throws Error that names the file when the list
// is damaged or does not have this hash.
std::string to_json(const Manifest& manifest);
Manifest manifest_from_json(const std::string& text, const std::string& file);

// Writes the manifest of what is in the folder now.
void write_manifest(const std::filesystem::path& folder);

}  // namespace headlight::run
