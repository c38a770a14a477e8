// What people write for sinusoidal_table and alibi_bias, and what is wrong with it.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/core/math.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char *kVectors = "A vector for each position",
                            *kDistances = "A number for each distance";

using SinusoidalTable = Tensor (*)(std::size_t, std::size_t);
using AlibiBias = Tensor (*)(std::size_t, std::size_t);

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

// The biases (H,n,n) of slope(h) and distance(i, j).
template <class Slope, class Distance>
Tensor biases_of(std::size_t n_heads, std::size_t n, Slope slope, Distance distance) {
  Array bias(Shape{n_heads, n, n}, 0.0);
  for (std::size_t h = 0; h < n_heads; ++h)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        bias(h, i, j) =
            -slope(static_cast<double>(h)) * distance(static_cast<double>(i), static_cast<double>(j));
  return Tensor(bias);
}

inline double away(double i, double j) { return std::abs(i - j); }

template <class Slope>
Tensor other_slopes(std::size_t n_heads, std::size_t n, Slope slope) {
  const auto of_head = [&](double h) { return slope(h, static_cast<double>(n_heads)); };
  return biases_of(n_heads, n, of_head, away);
}

template <class Distance>
Tensor other_distance(std::size_t n_heads, std::size_t n, Distance distance) {
  const auto slope = [n_heads](double h) { return std::exp2(-8 * (h + 1) / static_cast<double>(n_heads)); };
  return biases_of(n_heads, n, slope, distance);
}

// As a learner writes it: without a decimal point the exponent is computed without a sign.
inline Tensor slope_without_a_sign(std::size_t n_heads, std::size_t n) {
  const auto slope = [&](double h, double) {
    return math::power(2, -8 * (static_cast<std::size_t>(h) + 1) / n_heads);
  };
  return other_slopes(n_heads, n, slope);
}

inline const std::vector<Mistake<AlibiBias>> kOfAlibiBias = {
    {"heads-from-0",
     "Your first head has the slope 2^0 = 1. The exponent takes h + 1: the slopes go down to 2^-8 in the "
     "last "
     "head.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_slopes(heads, n, [](double h, double H) { return std::exp2(-8 * h / H); });
     }},
    {"plus", "You added slope · distance. It must be subtracted: what is far away scores less.", kDistances,
     [](std::size_t heads, std::size_t n) { return -solution::alibi_bias(heads, n); }},
    {"later-keys-rewarded",
     "You used i - j with its sign, so later keys get a bonus. The distance is |i - j|.", kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_distance(heads, n, [](double i, double j) { return i - j; });
     }},
    {"difference-without-a-sign",
     "You subtracted whole numbers that have no sign in C++: where j > i, i - j is about 1.8e19. Subtract "
     "the "
     "smaller from the larger, or turn both into doubles first.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_distance(heads, n, [](double i, double j) {
         return static_cast<double>(static_cast<std::size_t>(i) - static_cast<std::size_t>(j));
       });
     }},
    {"later-keys-free",
     "You left later keys at 0. That does no harm where later keys are hidden. Here both directions count: "
     "|i - j|.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_distance(heads, n, [](double i, double j) { return i > j ? i - j : 0; });
     }},
    {"later-keys-hidden",
     "You hid later keys with -∞. Which keys a query sees is for the mask to say, the subject of the next "
     "lesson. Here both directions count: |i - j|.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_distance(heads, n, [](double i, double j) {
         return j > i ? std::numeric_limits<double>::infinity() : i - j;
       });
     }},
    {"one-slope",
     "All your heads have the slope of the first. Each head has its own: the exponent contains h + 1.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_slopes(heads, n, [](double, double H) { return std::exp2(-8 / H); });
     }},
    {"not-spread",
     "Your slopes are 1/2, 1/4, 1/8, … for any number of heads. That is right for 8 heads alone. The "
     "exponent "
     "is -8 (h+1) / n_heads: the last head always has 2^-8.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_slopes(heads, n, [](double h, double) { return std::exp2(-(h + 1)); });
     }},
    {"whole-number-division",
     "You divided 8 * (h + 1) by n_heads as whole numbers, which rounds down. Write 8.0 * (h + 1) / n_heads.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_slopes(heads, n,
                           [](double h, double H) { return std::exp2(-std::floor(8 * (h + 1) / H)); });
     }},
    {"minus-without-a-sign",
     "In -8 * (h + 1) / n_heads the whole numbers have no sign in C++, and the -8 becomes a huge positive "
     "number. Write -8.0 * (h + 1) / n_heads.",
     kDistances, slope_without_a_sign},
    {"steepest-last",
     "Your heads are in the reverse order. Head 0 has the largest slope, 2^(-8/n_heads), the last head 2^-8.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_slopes(heads, n, [](double h, double H) { return std::exp2(-8 * (H - h) / H); });
     }},
    {"powers-of-e", "You took powers of e. The slopes are powers of 2: math::power(2, …).", kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_slopes(heads, n, [](double h, double H) { return std::exp(-8 * (h + 1) / H); });
     }},
    {"distance-squared", "You squared the distance. The L of ALiBi is for linear: slope · |i - j|.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_distance(heads, n, [](double i, double j) { return (i - j) * (i - j); });
     }},
    {"distance-from-1",
     "You counted the distance from 1. A token is at distance 0 from itself. Softmax would not see it, since "
     "a whole row lost the same number, but the biases are asked for here.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return other_distance(heads, n, [](double i, double j) { return away(i, j) + 1; });
     }},
    {"heads-last",
     "Your heads stand on the last axis. The result is (n_heads,n,n): a table of scores for each head.",
     kDistances,
     [](std::size_t heads, std::size_t n) {
       return permute(solution::alibi_bias(heads, n), {1, 2, 0});
     }},
};

}  // namespace mistakes
