// Pictures where the user wants them: in the terminal, or as a file.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "headlight/draw/color.h"

namespace headlight::app {

struct PictureOptions {
  std::string svg, png;
  bool no_color = false;
};

// --svg FILE or --png FILE, and --no-color.
void add_picture_options(CLI::App& command, PictureOptions& options);

// Draws the one that is asked for: prints it, or writes the file and prints its name.
void deliver(const PictureOptions& options, const std::function<std::string(draw::ColorMode)>& terminal,
             const std::function<std::string()>& svg);

}  // namespace headlight::app
