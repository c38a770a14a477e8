#include "run/files/manifest.h"

#include "fuzz/targets.h"

// A manifest that is read comes back from what is written of it.
void headlight::fuzz::manifest(const std::string& bytes) {
  using namespace run;
  refusable([&] {
    const Manifest manifest = manifest_from_json(bytes);
    Files files;
    for (const auto& [name, hash] : manifest) files[name] = "";
    require(manifest_from_json(manifest_json(manifest, files)) == manifest, "a manifest does not come back");
  });
}
