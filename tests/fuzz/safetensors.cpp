#include "headlight/train/safetensors.h"

#include "fuzz/targets.h"
#include "headlight/train/history.h"

// The arrays of a file have no more numbers than the file has bytes for.
void headlight::fuzz::safetensors(const std::string& bytes) {
  refusable([&] {
    train::SafetensorsFile file = train::safetensors_from(bytes, "x.safetensors");
    std::size_t numbers = 0;
    for (const auto& [name, array] : file.arrays) numbers += array.size();
    require(4 * numbers <= bytes.size(), "numbers that are not in the file");
    train::snapshots_from(std::move(file), "x.safetensors");
  });
}
