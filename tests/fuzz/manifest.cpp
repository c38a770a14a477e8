#include "run/manifest.h"

#include "fuzz/targets.h"

// A manifest that is read is written as the same list, and names nothing outside of its folder.
void headlight::fuzz::manifest(const std::string& bytes) {
  using namespace experiment;
  refusable([&] {
    const Manifest manifest = manifest_from_json(bytes, "manifest.json");
    require(to_json(manifest_from_json(to_json(manifest), "written")) == to_json(manifest),
            "a manifest does not come back");
    for (const ManifestFile& file : manifest.files) {
      require(file.name.front() != '/' && !file.name.starts_with("../"), "a manifest names a file outside");
      require(manifest.find(file.name) != nullptr, "a file of the manifest is not found");
    }
  });
}
