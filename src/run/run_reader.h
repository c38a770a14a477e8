// Reads the files of a run folder, and tells when one is not the file that the run wrote.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "headlight/run/run_folder.h"
#include "headlight/train/safetensors.h"
#include "manifest.h"

namespace headlight::run {

// The text of a run's manifest as it was first read, empty for a run that has none. Threads may share it.
class FirstManifest {
 public:
  // Whether this is the first text, or the same.
  bool is(const std::string& text);

 private:
  std::mutex mutex_;
  std::optional<std::string> text_;
};

class RunReader {
 public:
  // Throws Error when the folder's manifest is damaged, when its run wrote one that is not there, or when the
  // run was saved anew since the folder was first read. Runs of older versions have no manifest: their files
  // are read unchecked. So are those of a folder that is trusted.
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

// Calls read(), which reads files of a run by their paths. Throws Error when the run was saved anew
// meanwhile.
void of_one_save(const RunFolder& folder, const std::function<void()>& read);

}  // namespace headlight::run
