#include "picture.h"

#include <fmt/core.h>

#include "app/output/lines.h"
#include "headlight/draw/png.h"
#include "headlight/system/files.h"
#include "output_option.h"

namespace headlight::app {

void add_picture_options(CLI::App& command, PictureOptions& options) {
  CLI::Option* svg = add_output_option(command, "--svg", options.svg, "Write an SVG file instead");
  CLI::Option* png =
      add_output_option(command, "--png", options.png, "Write a PNG file instead (needs rsvg-convert)");
  svg->excludes(png);
  command.add_flag("--no-color", options.no_color, "Draw in plain text, where there are colors");
}

void deliver(const PictureOptions& options, const std::function<std::string()>& text,
             const std::function<std::string()>& svg) {
  if (options.svg.empty() && options.png.empty()) {
    fmt::print("{}", text());
    return;
  }
  const std::string& file = options.svg.empty() ? options.png : options.svg;
  write_file(file, options.svg.empty() ? draw::png_from_svg(svg()) : svg());
  print_file(file);
}

std::string chart_tables(const std::vector<draw::Chart>& charts) {
  std::string out;
  for (const draw::Chart& chart : charts)
    out +=
        (out.empty() ? "" : "\n") + chart.y.label + ":\n\n" + draw::terminal_table(draw::chart_table(chart));
  return out;
}

}  // namespace headlight::app
