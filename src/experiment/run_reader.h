// Reads the files of a run folder, and tells when one is not the file that the run wrote.
#pragma once

#include <optional>
#include <string>

#include "headlight/experiment/run_folder.h"
#include "headlight/train/safetensors.h"
#include "manifest.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

class RunReader {
 public:
  // Throws Error when the folder's manifest is damaged, or when its run wrote one that is not there. Runs of
  // older versions have none: their files are read unchecked. So are those of a folder that is trusted.
  explicit RunReader(const RunFolder& folder);

  bool is_checked() const { return manifest_.has_value(); }

  // Whether the run has the file. Throws Error when the run wrote the file and it is not there, or the other
  // way round.
  bool has(const std::string& name) const;

  // The file. Throws Error when it cannot be read, has more than `most` bytes, or is not what the run wrote.
  std::string read(const std::string& name, std::size_t most) const;
  train::SafetensorsFile arrays(const std::string& name, std::uint64_t most = train::kMostWeightBytes) const;

  // Throws Error when one of the files that the run wrote is missing or is not what the run wrote.
  void check_all() const;

  std::filesystem::path path(const std::string& name) const { return folder_.path / name; }

 private:
  // Before the file is read, and after it.
  void check_size(const std::string& name) const;
  void check_bytes(const std::string& name, const std::string& bytes) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

  RunFolder folder_;
  std::string manifest_text_;
  std::optional<Manifest> manifest_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
