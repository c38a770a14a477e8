// manifest.json: the checksum of each file that a run wrote.
#pragma once

#include <map>
#include <string>

#include "headlight/system/folder.h"

namespace headlight::run {

// SHA-256 by the name of the file.
using Manifest = std::map<std::string, std::string>;

Manifest manifest_of(const Files& files);

std::string manifest_json(const Manifest& manifest, const Files& files);

// Throws Error when the text is damaged.
Manifest manifest_from_json(const std::string& text);

}  // namespace headlight::run
