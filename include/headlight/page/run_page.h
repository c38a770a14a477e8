// report.html: the page of a run.
#pragma once

#include <string>

#include "headlight/run/run.h"

namespace headlight::page {

struct PageOptions {
  std::string title = {};   // the run's name
  std::string tokens = {};  // a sequence that the user gives, shown first
  std::string source = {};  // the source of `tokens`, for an encoder–decoder
  int threads = 0;          // that compute it; 0: all cores
  std::string engine = {};  // what src/web/wasm builds, for the page of a decoder; empty: none
  std::string footer = {};  // HTML below all parts
};

// The page as HTML, of a run with model, results, metrics and snapshots. Throws Error when the run kept no
// snapshots, and for tokens that do not fit its task.
std::string report_page(const run::Run& run, const PageOptions& options = {});

// What is saved with a run to be looked at: its page, if it kept snapshots, and the picture of its best head.
Files pages_of(const run::Run& run, const std::string& title, int threads = 0,
               const std::string& engine = {});

}  // namespace headlight::page
