// The hash SHA-256 (FIPS 180-4).
#pragma once

#include <string>
#include <string_view>

namespace headlight {

// The hash of the bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

// The hash in base64, as the content policy of a page names what it allows.
std::string sha256_base64(std::string_view bytes);

}  // namespace headlight
