// report.html: the page of a run folder.
#pragma once

#include <filesystem>
#include <string>

#include "headlight/run/run_folder.h"

namespace headlight::page {

struct PageOptions {
  std::filesystem::path file = {};  // where write_page() writes it; empty: report.html in the folder
  std::string tokens = {};          // a sequence that the user gives, shown first
  std::string title = {};           // empty: the folder's name
  std::string source = {};          // the source of `tokens`, for an encoder–decoder
  int threads = 0;                  // that compute it; 0: all cores
};

// The page as HTML. Throws Error when a file of the run is missing or damaged.
std::string page_text(const run::RunFolder& folder, const PageOptions& options = {});

// Reads the run and writes its page. Returns the path of the page. Throws Error, and writes nothing, when a
// file of the run is missing or damaged.
std::filesystem::path write_page(const run::RunFolder& folder, const PageOptions& options = {});

}  // namespace headlight::page
