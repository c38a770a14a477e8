#include "page/compress.h"

#include "fuzz/targets.h"

// Bytes come back from their code, and any code gives as many bytes as are asked for. The first two bytes are
// the stride.
void headlight::fuzz::compress(const std::string& bytes) {
  if (bytes.size() < 2) return;
  const std::size_t stride =
      1 + static_cast<unsigned char>(bytes[0]) + 256U * (static_cast<unsigned char>(bytes[1]) % 4U);
  const std::string rest = bytes.substr(2);
  require(page::expanded(page::compressed(rest, stride), rest.size(), stride) == rest,
          "bytes do not come back");
  require(page::expanded(rest, 1000, stride).size() == 1000, "a code gives another number of bytes");
}
