#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/draw/diagram.h"
#include "svg_page.h"

namespace headlight::draw {
namespace {

using svg::Anchor, svg::kAccent, svg::kGrey, svg::Page, svg::TextStyle;

constexpr double kDiagramLeft = 24, kDiagramTop = 58;  // where drawing begins, below the title
constexpr double kCellHeight = 34, kNarrowest = 38;
constexpr double kOperatorWidth = 44, kOperandGap = 36;
constexpr double kBetweenLines = 44;  // of matrices
constexpr double kDot = 9;            // radius

const TextStyle kNumber{.size = 15, .mono = true};
const TextStyle kMatrixName{.size = 15, .bold = true};
const TextStyle kMatrixNote{.size = 13, .color = kGrey};
const TextStyle kOperator{.size = 22};

void draw_cell(Page& page, double x, double y, double width, const Cell& cell) {
  const char* box = "fill=\"#ffffff\" stroke=\"#5c6675\"";
  TextStyle style = kNumber;
  if (cell.style == CellStyle::strong) {
    box = "fill=\"#ffe7c2\" stroke=\"#b35400\" stroke-width=\"1.5\"";
    style.bold = true;
  }
  if (cell.style == CellStyle::copied) {
    box = "fill=\"url(#hatch)\" stroke=\"#9aa7b8\"";
    style.color = kGrey;
  }
  if (cell.style == CellStyle::faint) {
    box = "fill=\"#ffffff\" stroke=\"#d5dae2\"";
    style.color = "#8a93a0";
  }
  page.rect({x, y, width, kCellHeight}, box);
  page.text(x + width / 2, y + kCellHeight / 2 + 5.5, cell.text, style);
}

double cell_width(const std::vector<Cell>& cells) {
  double widest = kNarrowest;
  for (const Cell& cell : cells) widest = std::max(widest, svg::text_width(cell.text, kNumber.size) + 16);
  return widest;
}

double cell_width(const DrawnMatrix& matrix) {
  double widest = kNarrowest;
  for (const auto& row : matrix.rows) widest = std::max(widest, cell_width(row));
  return widest;
}

double inner_width(const DrawnMatrix& matrix) {
  return matrix.rows.empty() ? 0 : cell_width(matrix) * static_cast<double>(matrix.rows[0].size());
}

double outer_width(const DrawnMatrix& matrix) {
  return std::max({inner_width(matrix), svg::text_width(matrix.name, kMatrixName.size),
                   svg::text_width(matrix.note, kMatrixNote.size)});
}

// Matrices below each other, and the operators to their left.
struct Column {
  double before = 0, width = 0;
};

// Room for the operator to the left of the matrix in column k.
double width_before(const DrawnMatrix& matrix, std::size_t k) {
  if (matrix.before.empty()) return k > 0 ? kOperandGap : 0;
  return std::max(kOperatorWidth, svg::text_width(matrix.before, kOperator.size) + 16);
}

void check_rows(const DrawnMatrix& matrix) {
  for (const auto& row : matrix.rows)
    check(row.size() == matrix.rows[0].size(),
          "[svg_matrices] the rows of '{}' differ in length: {} and {} cells.", matrix.name,
          matrix.rows[0].size(), row.size());
}

void draw_matrix(Page& page, double center, double middle, const DrawnMatrix& matrix) {
  const double width = cell_width(matrix), left = center - inner_width(matrix) / 2;
  const double height = static_cast<double>(matrix.rows.size()) * kCellHeight, top = middle - height / 2;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i)
    for (std::size_t j = 0; j < matrix.rows[i].size(); ++j)
      draw_cell(page, left + static_cast<double>(j) * width, top + static_cast<double>(i) * kCellHeight,
                width, matrix.rows[i][j]);
  page.text(center, top - 9, matrix.name, kMatrixName);
  page.text(center, top + height + 19, matrix.note, kMatrixNote);
}

// The hops of one walk: forward above the dots, backward below, the farther the higher. The number in a dot
// counts what is read. Where the walk stays, a loop below the dot says how often.
void draw_walk(Page& page, const BufferWalk& walk, double left, double width, double y) {
  const std::string line =
      fmt::format("stroke=\"{}\" stroke-width=\"1.6\" marker-end=\"url(#accent-arrow)\"", kAccent);
  const std::vector<std::size_t>& offsets = walk.offsets;
  double before = 0;
  for (std::size_t i = 0; i < offsets.size();) {
    std::size_t next = i;
    while (next < offsets.size() && offsets[next] == offsets[i]) ++next;
    const double x = left + (static_cast<double>(offsets[i]) + 0.5) * width;
    page.path(fmt::format("M{:.1f} {:.1f}h0.01", x, y), x + kDot, y + kDot,
              fmt::format("stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"", kAccent, 2 * kDot));
    page.text(x, y + 4.5, std::to_string(i + 1), {.size = 12, .color = "#ffffff", .bold = true});
    if (next - i > 1) {
      page.path(fmt::format("M{0:.1f} {1:.1f}C{2:.1f} {3:.1f} {4:.1f} {3:.1f} {5:.1f} {6:.1f}", x - 6, y + 8,
                            x - 24, y + 38, x + 24, x + 6, y + 9),
                x, y, line);
      page.text(x, y + 45, fmt::format("{}×", next - i), kMatrixNote);
    }
    if (i > 0) {
      const double way = x > before ? 1 : -1, height = way * std::min(42.0, 14 + 0.2 * std::abs(x - before));
      page.path(fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", before + way * 7, y - way * 9,
                            (before + x) / 2, y - way * 9 - height, x - way * 7, y - way * 9),
                x, y + std::max(0.0, 9 - height / 2), line);
    }
    before = x;
    i = next;
  }
}

}  // namespace

DrawnMatrix matrix_of(const std::string& before, const std::string& name, const Array& x, int decimals,
                      CellStyle style) {
  check(x.dimension() <= 2, "[matrix_of] expected at most two axes, got shape {}.", Shape(x.shape()));
  DrawnMatrix matrix{before, name, {}, to_string(Shape(x.shape()))};
  const std::size_t columns = x.dimension() == 0 ? 1 : x.shape().back();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % columns == 0) matrix.rows.emplace_back();
    matrix.rows.back().push_back({fmt::format("{:.{}f}", static_cast<double>(x.data()[i]), decimals), style});
  }
  return matrix;
}

std::string svg_matrices(const std::string& title, const std::vector<DrawnMatrix>& matrices) {
  return svg_matrix_lines(title, {matrices});
}

std::string svg_matrix_lines(const std::string& title, const std::vector<std::vector<DrawnMatrix>>& lines) {
  check(!lines.empty(), "[svg_matrices] '{}' has no matrix to draw.", title);
  std::vector<Column> columns;
  for (const std::vector<DrawnMatrix>& line : lines) {
    check(!line.empty(), "[svg_matrices] '{}' has no matrix to draw.", title);
    columns.resize(std::max(columns.size(), line.size()));
    for (std::size_t k = 0; k < line.size(); ++k) {
      check_rows(line[k]);
      columns[k].before = std::max(columns[k].before, width_before(line[k], k));
      columns[k].width = std::max(columns[k].width, outer_width(line[k]));
    }
  }
  Page page(title);
  double top = kDiagramTop;
  for (const std::vector<DrawnMatrix>& line : lines) {
    std::size_t most_rows = 0;
    for (const DrawnMatrix& matrix : line) most_rows = std::max(most_rows, matrix.rows.size());
    const double height = static_cast<double>(most_rows) * kCellHeight, middle = top + 22 + height / 2;
    double x = kDiagramLeft;
    for (std::size_t k = 0; k < line.size(); ++k) {
      page.text(x + columns[k].before / 2, middle + 7, line[k].before, kOperator);
      x += columns[k].before;
      draw_matrix(page, x + columns[k].width / 2, middle, line[k]);
      x += columns[k].width;
    }
    top += 22 + height + kBetweenLines;
  }
  return page.finish();
}

std::string svg_buffer(const std::string& title, const std::vector<Cell>& cells,
                       const std::vector<BufferWalk>& walks) {
  double names = svg::text_width("offset", kMatrixNote.size);
  for (const BufferWalk& walk : walks) {
    check(!walk.offsets.empty(), "[svg_buffer] the walk '{}' has no offsets.", walk.name);
    for (std::size_t offset : walk.offsets)
      check(offset < cells.size(), "[svg_buffer] the walk '{}' reads offset {} of a buffer of {} numbers.",
            walk.name, offset, cells.size());
    names = std::max(names, svg::text_width(walk.name, kMatrixNote.size));
  }
  Page page(title);
  const double left = kDiagramLeft + names + 16, width = std::max(54.0, cell_width(cells));
  page.text(left - 14, kDiagramTop + 12, "offset", {.size = 13, .anchor = Anchor::end, .color = kGrey});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double x = left + static_cast<double>(i) * width;
    page.text(x + width / 2, kDiagramTop + 12, std::to_string(i), kMatrixNote);
    draw_cell(page, x, kDiagramTop + 20, width, cells[i]);
  }
  double y = kDiagramTop + 20 + kCellHeight;
  for (const BufferWalk& walk : walks) {
    y += 70;
    page.text(left - 14, y + 2, walk.name, {.size = 13, .anchor = Anchor::end});
    draw_walk(page, walk, left, width, y);
  }
  return page.finish();
}

}  // namespace headlight::draw
