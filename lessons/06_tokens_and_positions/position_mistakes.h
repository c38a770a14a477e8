// What people write for sinusoidal_table and shift_matrix, and what is wrong with it.
#pragma once

#include <cmath>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/core/math.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char* kVectors = "A vector for each position";

using SinusoidalTable = Tensor (*)(std::size_t, std::size_t);
using ShiftMatrix = Tensor (*)(std::size_t, std::size_t);

// The table (n,d) of number(position, column).
template <class Number>
Tensor table_of(std::size_t n, std::size_t d, Number number) {
  Array table(Shape{n, d}, 0.0);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t c = 0; c < d; ++c) table(p, c) = number(static_cast<double>(p), c);
  return Tensor(table);
}

// Sine or cosine by column, of position · base^(-exponent).
inline double wave(double p, std::size_t column, double exponent, double base = 10000) {
  const double angle = p * std::pow(base, -exponent);
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

// 2i/d for column 2i and for column 2i + 1.
inline double share(std::size_t column, std::size_t d) {
  return static_cast<double>(column - column % 2) / static_cast<double>(d);
}

// As share(), times a factor.
template <int kTimes, int kOver>
Tensor other_exponent(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) { return wave(p, c, share(c, d) * kTimes / kOver); });
}

inline Tensor exponent_by_column(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) {
    return wave(p, c, static_cast<double>(c) / static_cast<double>(d));
  });
}

inline Tensor exponent_by_twice_the_column(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) {
    return wave(p, c, 2 * static_cast<double>(c) / static_cast<double>(d));
  });
}

inline Tensor cosine_first(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) { return wave(p, c + 1, share(c, d)); });
}

inline Tensor in_halves(std::size_t n, std::size_t d) {
  return table_of(
      n, d, [d](double p, std::size_t c) { return wave(p, c < d / 2 ? 0 : 1, share(2 * (c % (d / 2)), d)); });
}

inline Tensor base_1000(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) { return wave(p, c, share(c, d), 1000); });
}

inline Tensor positions_from_1(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) { return wave(p + 1, c, share(c, d)); });
}

inline Tensor multiplied(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) { return wave(p, c, -share(c, d)); });
}

inline Tensor sines_only(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) { return wave(p, 0, share(c, d)); });
}

inline Tensor of_length_1(std::size_t n, std::size_t d) {
  return solution::sinusoidal_table(n, d) * std::sqrt(2.0 / static_cast<double>(d));
}

inline Tensor down_to_the_base(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) {
    return wave(p, c, static_cast<double>(c / 2) / (static_cast<double>(d) / 2 - 1));
  });
}

inline Tensor whole_turns(std::size_t n, std::size_t d) {
  return table_of(n, d, [d](double p, std::size_t c) { return wave(2 * std::acos(-1) * p, c, share(c, d)); });
}

// As a learner writes it: without a decimal point all of this is computed without a sign.
inline Tensor minus_without_a_sign(std::size_t n, std::size_t d) {
  Array table(Shape{n, d}, 0.0);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t i = 0; i < d / 2; ++i) {
      const double angle = static_cast<double>(p) * math::power(10000, -2 * i / d);
      table(p, 2 * i) = math::sin(angle);
      table(p, 2 * i + 1) = math::cos(angle);
    }
  return Tensor(table);
}

inline const std::vector<Mistake<SinusoidalTable>> kOfSinusoidalTable = {
    {"i-for-2i",
     "Your exponent is -i/d. It is -2i/d, and i counts pairs of columns: over the d/2 pairs it falls from 0 "
     "to nearly -1.",
     kVectors, other_exponent<1, 2>},
    {"twice-2i",
     "Your exponent falls twice as fast as -2i/d. If you count columns with c, the pair is i = c / 2, and "
     "2i is c - c % 2.",
     kVectors, other_exponent<2, 1>},
    {"no-exponent",
     "All your pairs turn at the same speed, 1. If you wrote 2 * i / d with whole numbers, that is 0 in C++: "
     "write 2.0 * i / d.",
     kVectors, other_exponent<0, 1>},
    {"exponent-of-each-column",
     "You gave the sine and the cosine of a pair different speeds, -c/d by column c. Both columns of pair i "
     "have the exponent -2i/d. Only then their point moves on a circle.",
     kVectors, exponent_by_column},
    {"exponent-of-twice-each-column",
     "You used -2c/d with the column c. In the formula i counts pairs: columns 2i and 2i + 1 share -2i/d.",
     kVectors, exponent_by_twice_the_column},
    {"cosine-first",
     "You exchanged sine and cosine. The sine stands in the even column 2i, the cosine after it.", kVectors,
     cosine_first},
    {"in-halves",
     "You put all sines first and all cosines behind them. That is a usual form too. Here the two of a pair "
     "stand side by side, in columns 2i and 2i + 1.",
     kVectors, in_halves},
    {"base-1000", "Your base is 1000. It is 10000, with four zeros.", kVectors, base_1000},
    {"positions-from-1", "You counted positions from 1. Row 0 stands at position 0: its sines are 0.",
     kVectors, positions_from_1},
    {"plus-in-the-exponent",
     "You multiplied by 10000^(2i/d). The exponent is negative: later pairs turn more slowly.", kVectors,
     multiplied},
    {"minus-without-a-sign",
     "In -2 * i / d the whole numbers have no sign in C++, and the -2 becomes a huge positive number. Write "
     "-2.0 * i / d.",
     kVectors, minus_without_a_sign},
    {"sines-only",
     "You put sines into both columns of a pair. Column 2i + 1 holds the cosine, without which no point on "
     "the circle is fixed.",
     kVectors, sines_only},
    {"of-length-1",
     "You divided the rows by their length √(d/2), as Headlight's own table does. The formula of the "
     "exercise has no such factor.",
     kVectors, of_length_1},
    {"d/2-1",
     "You divided i by d/2 - 1, so that the last pair reaches 1/10000. Some programs do. The formula here "
     "divides 2i by d.",
     kVectors, down_to_the_base},
    {"whole-turns",
     "You multiplied the angle by 2π. The formula has p · w_i alone: the fastest hand turns by 1 radian a "
     "step, not by a whole turn.",
     kVectors, whole_turns},
};

// A matrix (d,d) with a block of four numbers for each pair: put(block, cos, sin) at the angle of the pair.
// The columns of a pair are neighbours, or halves.
template <class Angle, class Put>
Tensor blocks_of(std::size_t d, Angle angle, Put put, bool halves = false) {
  Array matrix(Shape{d, d}, 0.0);
  for (std::size_t i = 0; i < d / 2; ++i) {
    const std::size_t a = halves ? i : 2 * i, b = halves ? i + d / 2 : 2 * i + 1;
    const double turn = angle(static_cast<double>(i));
    const auto at = [&](std::size_t row, std::size_t column) -> double& {
      return matrix(row == 0 ? a : b, column == 0 ? a : b);
    };
    put(at, std::cos(turn), std::sin(turn));
  }
  return Tensor(matrix);
}

// k times the speed of pair i, with another exponent than -2i/d by a factor, or another base.
inline auto turn_by(std::size_t k, std::size_t d, double times = 1, double base = 10000) {
  return [=](double i) {
    return static_cast<double>(k) * std::pow(base, -2 * times * i / static_cast<double>(d));
  };
}

// [[c, upper · s], [lower · s, c]]
template <int upper, int lower>
void block(const auto& at, double c, double s) {
  at(0, 0) = at(1, 1) = c;
  at(0, 1) = upper * s;
  at(1, 0) = lower * s;
}
template <int upper, int lower>
inline constexpr auto kBlock = [](const auto& at, double c, double s) { block<upper, lower>(at, c, s); };
inline constexpr auto kRight = kBlock<-1, 1>;

// As a learner writes it: without a decimal point the exponent is computed without a sign.
inline Tensor shift_without_a_sign(std::size_t d, std::size_t k) {
  const auto angle = [&](double i) {
    const double turn = static_cast<double>(k) * math::power(10000, -2 * static_cast<std::size_t>(i) / d);
    math::cos(turn);
    return turn;
  };
  return blocks_of(d, angle, kRight);
}

inline const std::vector<Mistake<ShiftMatrix>> kOfShiftMatrix = {
    {"backwards",
     "Your matrix moves rows back by k: it is the transpose of what is asked for. Here a row stands to the "
     "left of M, so the first column of a block makes the new sine: sin cos(kw) + cos sin(kw).",
     kVectors, [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d), kBlock<1, -1>); }},
    {"no-minus",
     "Both sines of your block are positive. The cosine of a sum of two angles has a minus: "
     "cos cos - sin sin. The sine has a plus.",
     kVectors, [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d), kBlock<1, 1>); }},
    {"both-minus",
     "Both sines of your block are negative. The sine of a sum of two angles has a plus: sin cos + cos sin. "
     "The cosine has a minus.",
     kVectors, [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d), kBlock<-1, -1>); }},
    {"cosines-only",
     "Your matrix has cosines on the diagonal and zeros elsewhere. The sine of a sum also contains the "
     "cosine of the old angle: the two columns of a pair mix.",
     kVectors, [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d), kBlock<0, 0>); }},
    {"sine-for-cosine",
     "You exchanged sine and cosine. A shift by 0 must change nothing, so the diagonal holds cos(k w), which "
     "is 1 there.",
     kVectors,
     [](std::size_t d, std::size_t k) {
       return blocks_of(d, turn_by(k, d), [](const auto& at, double c, double s) { kRight(at, s, c); });
     }},
    {"in-halves",
     "You paired column i with column i + d/2, as rotary positions do. In the table of part 3 the two of a "
     "pair are neighbours, columns 2i and 2i + 1.",
     kVectors, [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d), kRight, true); }},
    {"one-step",
     "Your matrix moves rows on by one position. For k positions the angle of a pair is k times its speed.",
     kVectors, [](std::size_t d, std::size_t) { return blocks_of(d, turn_by(1, d), kRight); }},
    {"one-speed",
     "All your pairs turn at the same speed, 1. Pair i has the speed 10000^(-2i/d). If you wrote 2 * i / d "
     "with whole numbers, that is 0 in C++: write 2.0 * i / d.",
     kVectors, [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d, 0), kRight); }},
    {"i-for-2i", "Your exponent is -i/d. It is -2i/d, for the pairs i = 0 … d/2 - 1.", kVectors,
     [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d, 0.5), kRight); }},
    {"plus-in-the-exponent",
     "You multiplied by 10000^(2i/d). The exponent is negative: later pairs turn more slowly.", kVectors,
     [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d, -1), kRight); }},
    {"minus-without-a-sign",
     "In -2 * i / d the whole numbers have no sign in C++, and the -2 becomes a huge positive number. Write "
     "-2.0 * i / d.",
     kVectors, shift_without_a_sign},
    {"base-1000", "Your base is 1000. It is 10000, with four zeros.", kVectors,
     [](std::size_t d, std::size_t k) { return blocks_of(d, turn_by(k, d, 1, 1000), kRight); }},
};

}  // namespace mistakes
