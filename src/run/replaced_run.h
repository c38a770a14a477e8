// The run that a save replaces: what else is in its folder is not lost.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "manifest.h"

namespace headlight::run {

class ReplacedRun {
 public:
  // The run that is in the folder now, if there is one. Its manifest says what it wrote; of a folder without
  // a manifest the names decide.
  explicit ReplacedRun(std::filesystem::path folder);

  // Sets aside what has the name of a run's file and is not of this run, so that it is carried over. Sets the
  // whole folder aside when another run is there now. Throws Error.
  void spare_others() const;

 private:
  bool wrote(const std::filesystem::directory_entry& entry) const;

  std::filesystem::path folder_;
  std::string manifest_text_;
  std::optional<Manifest> manifest_;
  std::set<std::string> names_;
};

}  // namespace headlight::run
