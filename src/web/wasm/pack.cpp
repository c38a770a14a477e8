// pack FUSED PLAIN OUT: both modules of the engine as one file: how many bytes the first has, its bytes, and
// the second as its differences from the first. They have most of their code in common, and 32 KB are as far
// back as gzip looks. src/web/model/two_modules.js reads it. A program of the machine that builds.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>

namespace {

constexpr std::size_t kShortest = 16;  // bytes that are copied rather than written out

std::string bytes_of(const char* file) {
  std::ifstream opened(file, std::ios::binary);
  opened.exceptions(std::ios::badbit | std::ios::failbit);
  return {std::istreambuf_iterator<char>(opened), {}};
}

// Seven bits a byte, the lowest first; the eighth says that more follow.
std::string number(std::uint64_t value) {
  std::string out;
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  return out + static_cast<char>(value);
}

std::size_t in_common(std::string_view a, std::string_view b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

// The length of `to`, and pieces that lead from `from` to it: how many bytes are new, these, how far the
// bytes to copy stand from the end of those copied last (2n ahead, 2n - 1 back), and how many they are.
std::string differences(std::string_view from, std::string_view to) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i + kShortest <= from.size(); ++i) places.emplace(from.substr(i, kShortest), i);
  std::string out = number(to.size());
  std::size_t copied = 0, begin = 0;  // the ends of the last piece, in `from` and in `to`
  const auto piece = [&](std::size_t at, std::size_t place, std::size_t length) {
    out += number(at - begin);
    out += to.substr(begin, at - begin);
    out += number(place >= copied ? 2 * (place - copied) : 2 * (copied - place) - 1);
    out += number(length);
    copied = place + length;
    begin = at + length;
  };
  for (std::size_t at = 0; at < to.size();) {
    const std::size_t beside = std::min(copied + (at - begin), from.size());  // as far on in both
    const auto found = places.find(to.substr(at, kShortest));
    std::size_t place = beside, length = in_common(from.substr(beside), to.substr(at));
    if (length < kShortest && found != places.end()) {
      place = found->second;
      length = in_common(from.substr(place), to.substr(at));
    }
    if (length >= kShortest) piece(at, place, length);
    at = length >= kShortest ? begin : at + 1;
  }
  if (begin < to.size()) piece(to.size(), copied, 0);
  return out;
}

}  // namespace

int main(int, char** words) {
  const std::string fused = bytes_of(words[1]), plain = bytes_of(words[2]);
  std::ofstream out(words[3], std::ios::binary);
  out.exceptions(std::ios::badbit | std::ios::failbit);
  out << number(fused.size()) << fused << differences(fused, plain);
}
