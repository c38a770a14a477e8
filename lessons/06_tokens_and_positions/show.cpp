// What `./headlight show 6` draws: clocks whose hands the learner's functions set.
#include "show.h"

#include <fmt/core.h>

#include "dials.h"
#include "exercise.h"
#include "headlight/core/math.h"

Tensor sinusoidal_table(std::size_t n, std::size_t d);
Tensor shift_matrix(std::size_t d, std::size_t k);
Tensor rotate(const Tensor& x, std::size_t first);

namespace solution {
#include "solution.cpp"
}

namespace {

using show::Drawn;

constexpr std::size_t kD = 8;
const std::vector<std::size_t> kPositions{0, 1, 2, 3, 10};

// A line of clocks for each position, which is a row of x (n,8). The hand of pair i goes right by column
// right(i) and up by column up(i).
template <class Column>
Drawn clocks(const std::string& title, const Tensor& x, const Column& right, const Column& up) {
  std::vector<std::string> names;
  std::vector<std::vector<lesson::Dial>> lines;
  std::string text;
  for (std::size_t row = 0; row < kPositions.size(); ++row) {
    names.push_back(fmt::format("position {}", kPositions[row]));
    lines.emplace_back();
    text += fmt::format("position {:>2} ", kPositions[row]);
    for (std::size_t i = 0; i < kD / 2; ++i) {
      const double to_right = x.array()(row, right(i)), to_top = x.array()(row, up(i));
      lines.back().push_back(
          {row == 0 ? fmt::format("columns {}, {}", right(i), up(i)) : "", {{to_right, to_top}}});
      text += fmt::format("  ({:6.3f}, {:6.3f})", to_right, to_top);
    }
    text += "\n";
  }
  return {lesson::svg_dials(title, names, lines), text};
}

Drawn table_clocks(const std::string& title, const Tensor& x) {
  const auto column = [](std::size_t more) { return [more](std::size_t i) { return 2 * i + more; }; };
  return clocks(title, x, column(0), column(1));
}

// The rows of kPositions.
template <class Row>
Tensor rows(const Row& row) {
  std::vector<Tensor> all;
  for (const std::size_t p : kPositions) all.push_back(row(p));
  return concat(all, 0);
}

Tensor row_of(const Tensor& table, std::size_t p) {
  return slice(table, 0, static_cast<int>(p), static_cast<int>(p) + 1);
}

}  // namespace

int main(int argc, char** argv) {
  using show::panel;
  const auto of_table = [](auto* table, draw::ColorMode) {
    const Tensor waves = table(11, kD);
    return table_clocks("Rows of the table as hands of clocks",
                        rows([&](auto p) { return row_of(waves, p); }));
  };
  const auto of_shift = [](auto* shift, draw::ColorMode) {
    const Tensor first = row_of(solution::sinusoidal_table(1, kD), 0);
    return table_clocks("Row 0, moved on by the matrix",
                        rows([&](auto p) { return matmul(first, shift(kD, p)); }));
  };
  const auto of_rotate = [](auto* turn, draw::ColorMode) {
    const Tensor x = concat({full({1, kD / 2}, 1), zeros({1, kD / 2})}, -1);  // each pair is (1, 0)
    const auto column = [](std::size_t more) { return [more](std::size_t i) { return i + more; }; };
    return clocks("The pair (1, 0), turned at each position", rows([&](auto p) { return turn(x, p); }),
                  column(0), column(kD / 2));
  };
  return show::run(argc, argv,
                   {"clocks",
                    "Lesson 6: your clocks",
                    {panel("sinusoidal_table", &sinusoidal_table, &solution::sinusoidal_table, of_table),
                     panel("shift_matrix", &shift_matrix, &solution::shift_matrix, of_shift),
                     panel("rotate", &rotate, &solution::rotate, of_rotate)}});
}
