// What is measured of the model of Musat et al. 2025, which ./headlight paper trains.
#include "papers/musat_model.h"

#include <cmath>

#include "catch.h"
#include "papers/paper.h"

using namespace headlight;
using namespace headlight::papers::musat;

TEST_CASE("Musat 2025: exponents, the order of formation and the rows", "[program][paper]") {
  const PowerLaw law =
      fitted({4, 8, 20}, {3 * std::pow(4, 1.7), 3 * std::pow(8, 1.7), 3 * std::pow(20, 1.7)});
  CHECK(std::abs(law.exponent - 1.7) < 1e-6);
  CHECK(std::abs(law.factor - 3) < 1e-5);
  CHECK(std::abs(law.at(100) - 3 * std::pow(100, 1.7)) < 0.01);
  const Formation early{{1, 2, 3}}, late{{1, 3, 2}}, partly{{1, 2, 0}}, first_last{{3, 1, 2}};
  CHECK(early.in_order());
  CHECK_FALSE(late.in_order());
  CHECK_FALSE(first_last.in_order());
  CHECK((late.last() == 3 && late.complete() && !partly.complete()));

  std::vector<Formation> alone, together;
  for (const double N : {4.0, 8.0, 16.0}) {
    alone.push_back({{1, 2, N * N}});
    together.push_back({{0.5, std::pow(N, 1.5), 1}});
  }
  alone[1] = {{2, 1, 64}};  // out of order
  const std::vector<double> rows = rows_of({4, 8, 16}, alone, together, {{}, 0.9, 0.2});
  const std::vector<double> expected = {2, 1.5, 2, 0.9, 0.2};
  REQUIRE(rows.size() == expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(std::abs(rows[i] - expected[i]) < 1e-6);
}

TEST_CASE("Musat 2025: the figure counts time, of which a step takes half", "[program][paper]") {
  const draw::Figure figure = papers::find_paper("musat-2025").measure({.steps = 2}).figure;
  for (const std::size_t chart : {0, 1})
    for (const draw::Series& series : figure.charts[chart].series)
      if (!series.name.starts_with("exponent")) CHECK(std::abs(series.y.back() - 1) < 1e-9);
}

TEST_CASE("Musat 2025: what lies in the 19 directions, and what the three do alone", "[program][paper]") {
  constexpr std::size_t kPairs = 3;
  const Model m(kPairs);
  const double D = double(m.D);
  const auto set = [&](const Direction& d, double to) {
    Tensor W = m.weights()[d.matrix];
    d.add(to - d.parameter_of(m), W.mutable_array(), m.D);
  };
  set(nineteen()[1], 0.5), set(nineteen()[6], -2);
  Tensor W1 = m.W1, W3 = m.W3;
  W1.mutable_array()(0, 1) = 3;  // beside every diagonal
  CHECK(std::abs(part_inside(m) - D * 4.25 / (D * 4.25 + 9)) < 1e-6);
  CHECK(std::abs(error_of_three(m, kPairs) - 1) < 1e-6);  // none of the three is set

  const std::vector<Direction> head = three();  // copy, match, look back
  set(head[0], 1), set(head[1], 50), set(head[2], 50);
  W3.mutable_array()(0, 1) = 7;  // left out
  CHECK(error_of_three(m, kPairs) < 0.01);
  set(head[0], 0.5);  // half of the answer is left, and a quarter of the error
  CHECK(std::abs(error_of_three(m, kPairs) - 0.25) < 0.01);
}
