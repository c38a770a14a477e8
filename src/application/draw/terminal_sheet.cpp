#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/draw/sheet.h"
#include "headlight/system/text.h"
#include "terminal_map.h"

namespace headlight::draw {
namespace {

constexpr std::size_t kBetweenMaps = 2,
                      kSmallest = 12;  // columns between maps, and of a map that can still be read

// Lines of text and how many columns each takes.
struct Block {
  std::vector<std::string> lines;
  std::vector<std::size_t> widths;

  void add(std::string line, std::size_t width) {
    lines.push_back(std::move(line));
    widths.push_back(width);
  }
};

// Blocks side by side, each in `width` columns.
std::string beside(const std::vector<Block>& blocks, std::size_t width) {
  std::size_t height = 0;
  for (const Block& block : blocks) height = std::max(height, block.lines.size());
  std::string out;
  for (std::size_t i = 0; i < height; ++i) {
    std::size_t owed = 0;  // spaces up to the next text
    for (const Block& block : blocks) {
      const std::size_t used = i < block.lines.size() ? block.widths[i] : 0;
      if (used > 0) {
        out += std::string(owed, ' ') + block.lines[i];
        owed = 0;
      }
      owed += width + kBetweenMaps - std::min(width, used);
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string terminal_sheet(const Sheet& sheet, ColorMode mode, std::size_t columns) {
  check(!sheet.maps.empty() && sheet.columns > 0, "[sheet] there are no maps to draw.");
  const std::size_t in_a_row =
      std::clamp<std::size_t>((columns + kBetweenMaps) / (kSmallest + kBetweenMaps), 1, sheet.columns);
  const std::size_t room = (columns + kBetweenMaps) / in_a_row - kBetweenMaps;
  std::size_t widest = 0;
  for (const Heatmap& map : sheet.maps) {
    check(map.weights.dimension() == 2, "[sheet] expected weights (n,m), got {}.",
          Shape(map.weights.shape()));
    widest = std::max<std::size_t>(widest, map.weights.shape()[1]);
  }
  const std::size_t k = pooling_to_fit(widest, room);

  std::string out = sheet.title.empty() ? "" : printable(sheet.title) + "\n\n";
  for (std::size_t first = 0; first < sheet.maps.size();) {
    // A row of the sheet may take several of the terminal, but never shares one with the next.
    const std::size_t row_end = std::min(sheet.maps.size(), (first / sheet.columns + 1) * sheet.columns);
    const std::size_t end = std::min(row_end, first + in_a_row);
    std::vector<Block> titles, maps;
    for (std::size_t i = first; i < end; ++i) {
      Block title, map;
      for (const auto& line : wrapped(printable(sheet.maps[i].title), room))
        title.add(line, display_width(line));
      for (auto& line : map_lines(pooled(sheet.maps[i], k), mode))
        map.add(std::move(line), (sheet.maps[i].weights.shape()[1] + k - 1) / k);
      titles.push_back(std::move(title));
      maps.push_back(std::move(map));
    }
    out += beside(titles, room) + beside(maps, room) + "\n";
    first = end;
  }
  const bool hides = std::any_of(sheet.maps.begin(), sheet.maps.end(),
                                 [](const Heatmap& map) { return map.seen.has_value(); });
  return out + map_legend(mode, k, columns, hides);
}

}  // namespace headlight::draw
