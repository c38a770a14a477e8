#include "headlight/core/rng.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "headlight/core/check.h"
#include "headlight/core/math.h"

namespace headlight {
namespace {

std::uint64_t splitmix64(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// FNV-1a.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (unsigned char c : text) h = (h ^ c) * 0x100000001b3;
  return h;
}

}  // namespace

Rng::Rng(std::uint64_t seed) : state_{{}, seed} {
  std::uint64_t x = seed;
  for (auto& word : state_.words) word = splitmix64(x);
}

Rng Rng::stream(std::string_view name, std::uint64_t index) const {
  std::uint64_t x = state_.seed ^ hash(name);
  x = splitmix64(x) ^ index;
  return Rng(splitmix64(x));
}

std::uint64_t Rng::next() {
  auto& s = state_.words;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Rng::normal() {
  for (;;) {
    const double u = 2 * uniform() - 1, v = 2 * uniform() - 1, r = u * u + v * v;
    if (r > 0 && r < 1) return u * std::sqrt(-2 * math::log(r) / r);
  }
}

std::uint64_t Rng::below(std::uint64_t n) {
  check(n > 0, "[Rng::below] expected n > 0.");
  const std::uint64_t first_unfair =
      UINT64_MAX - UINT64_MAX % n;  // reject numbers that would favour small results
  for (;;) {
    const std::uint64_t x = next();
    if (x < first_unfair) return x % n;
  }
}

std::vector<std::int32_t> Rng::distinct(std::size_t count, std::size_t n) {
  check(count <= n, "[Rng::distinct] cannot choose {} different numbers out of {}.", count, n);
  std::vector<std::int32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = 0; i < count; ++i) std::swap(numbers[i], numbers[i + below(n - i)]);
  numbers.resize(count);
  return numbers;
}

Array Rng::uniform_array(const Shape& shape, double low, double high) {
  Array x = empty_array(shape);
  for (Real& value : x) value = static_cast<Real>(low + (high - low) * uniform());
  return x;
}

Array Rng::normal_array(const Shape& shape, double mean, double stddev) {
  Array x = empty_array(shape);
  for (Real& value : x) value = static_cast<Real>(mean + stddev * normal());
  return x;
}

}  // namespace headlight
