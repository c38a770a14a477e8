#include "manifest.h"

#include "fields.h"
#include "headlight/system/sha256.h"
#include "json.h"

namespace headlight::run {
namespace {

constexpr std::int64_t kManifestFormat = 1;

}  // namespace

Manifest manifest_of(const Files& files) {
  Manifest manifest;
  for (const auto& [name, bytes] : files) manifest[name] = sha256(bytes);
  return manifest;
}

std::string manifest_json(const Manifest& manifest, const Files& files) {
  ordered_json list = ordered_json::array();
  for (const auto& [name, hash] : manifest)
    list.push_back({{"name", name}, {"bytes", files.at(name).size()}, {"sha256", hash}});
  return ordered_json{{"format", kManifestFormat}, {"files", list}, {"sha256", sha256(list.dump())}}.dump(2) +
         "\n";
}

Manifest manifest_from_json(const std::string& text) {
  const Fields fields = Fields::of_text(text);
  Manifest manifest;
  for (const Fields& file : fields.objects("files")) manifest[file.text("name")] = file.text("sha256");
  return manifest;
}

}  // namespace headlight::run
