// The encoding base64 (RFC 4648).
#pragma once

#include <string>
#include <string_view>

namespace headlight {

// "Zm9v" for the bytes "foo".
std::string base64(std::string_view bytes);

}  // namespace headlight
