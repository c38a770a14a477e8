// Pictures as files, and what the terminal has in their place.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "headlight/draw/chart.h"

namespace headlight::app {

struct PictureOptions {
  std::string svg, png;
  bool no_color = false;
};

// --svg FILE or --png FILE, and --no-color.
void add_picture_options(CLI::App& command, PictureOptions& options);

// Prints the text, or writes the file that is asked for and prints its name.
void deliver(const PictureOptions& options, const std::function<std::string()>& text,
             const std::function<std::string()>& svg);

// The charts' tables, each below what it measures.
std::string chart_tables(const std::vector<draw::Chart>& charts);

}  // namespace headlight::app
