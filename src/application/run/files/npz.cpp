#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <set>

#include "headlight/core/check.h"
#include "headlight/run/export.h"
#include "headlight/run/run.h"
#include "headlight/system/files.h"
#include "headlight/train/weights.h"

namespace headlight::run {
namespace {

// The check sum of zip archives: the polynomial 0xedb88320, bit by bit.
std::uint32_t crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> of_byte{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      of_byte[byte] = byte;
      for (int bit = 0; bit < 8; ++bit)
        of_byte[byte] = (of_byte[byte] >> 1U) ^ ((of_byte[byte] & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return of_byte;
  }();
  std::uint32_t sum = 0xffffffffU;
  for (const char c : bytes) sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xffU] ^ (sum >> 8U);
  return ~sum;
}

// Little-endian.
void put(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i, number >>= 8U) to += static_cast<char>(number & 0xffU);
}

// An array in NumPy's format 1.0: magic, length of the header, header, numbers.
std::string npy(const Array& x) {
  std::string shape;
  for (const std::size_t length : x.shape()) shape += fmt::format("{}, ", length);
  std::string header =
      fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({}), }}", sizeof(Real), shape);
  header.append(63 - (10 + header.size()) % 64, ' ');  // the numbers then start at a multiple of 64
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  put(file, header.size(), 2);
  return file + header + std::string(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(Real));
}

// What an entry says of itself, before its bytes and again in the directory: no compression, 1 January 1980.
std::string about(const std::string& name, const std::string& file) {
  std::string text;
  for (const auto& [number, bytes] : {std::pair<std::uint64_t, int>{20, 2},
                                      {0, 2},
                                      {0, 2},
                                      {0, 2},
                                      {0x21, 2},
                                      {crc32(file), 4},
                                      {file.size(), 4},
                                      {file.size(), 4},
                                      {name.size(), 2},
                                      {0, 2}})
    put(text, number, bytes);
  return text;
}

}  // namespace

std::string npz(const train::NamedArrays& arrays) {
  std::string archive, directory;
  std::set<std::string> seen;
  for (const auto& [array_name, array] : arrays) {
    check(seen.insert(array_name).second, "two arrays are named '{}'.", array_name);
    const std::string name = array_name + ".npy", file = npy(*array), said = about(name, file);
    directory += std::string("PK\x01\x02\x14\x00", 6) + said;
    put(directory, 0, 2 + 2 + 2 + 4);  // no comment, first disk, no attributes
    put(directory, archive.size(), 4);
    directory += name;
    archive += "PK\x03\x04" + said + name + file;
    check(archive.size() + directory.size() < 0xffffffffU,
          "an .npz archive of 4 GiB and more is not supported.");
  }
  const std::size_t start = archive.size();
  archive += directory + std::string("PK\x05\x06\x00\x00\x00\x00", 8);
  put(archive, arrays.size(), 2), put(archive, arrays.size(), 2);
  put(archive, directory.size(), 4), put(archive, start, 4), put(archive, 0, 2);
  return archive;
}

void export_npz(const Run& run, const std::filesystem::path& file) {
  const train::Weights weights = train::weights_of(*run.model);
  train::NamedArrays arrays;
  for (const auto& [name, array] : weights) arrays.emplace_back(name, &array);
  write_file(file, npz(arrays));
}

}  // namespace headlight::run
