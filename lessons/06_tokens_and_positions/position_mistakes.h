// What people write for sinusoidal_table and shift_matrix, and what is wrong with it.
#pragma once

#include "headlight/core/math.h"
#include "mistakes.h"

namespace mistakes {

inline constexpr const char* kVectors = "A vector for each position";

using SinusoidalTable = std::function<Tensor(std::size_t, std::size_t)>;
using ShiftMatrix = std::function<Tensor(std::size_t, std::size_t)>;

// The speed of pair i, as all parts of this exercise compute it.
inline double speed_of(const Made& made, std::size_t i, std::size_t d) {
  if (made("one-speed")) return 1;
  if (made("minus-without-a-sign")) return math::power(10000, -2 * i / d);
  const double times = made("i-for-2i")   ? 1
                       : made("twice-2i") ? 4
                                          : 2,
               divisor = made("d-minus-2") ? static_cast<double>(d) - 2 : static_cast<double>(d);
  const double exponent = times * static_cast<double>(i + (made("pairs-from-1") ? 1 : 0)) / divisor;
  const double base = made("base-1000") ? 1000 : made("base-e") ? std::exp(1) : 10000;
  const double speed = std::pow(base, made("plus-in-the-exponent") ? exponent : -exponent);
  return made("whole-turns") ? speed * 2 * std::acos(-1) : speed;
}

inline constexpr const char *kOneSpeed =
                                "All your pairs turn at the same speed, 1. If you wrote 2 * i / d with whole "
                                "numbers, that is 0 in C++: write 2.0 * i / d.",
                            *kWithoutASign =
                                "In -2 * i / d the whole numbers have no sign in C++, and the -2 becomes a "
                                "huge positive number. Write -2.0 * i / d.";

// The slips of the speed.
inline std::vector<grader::Slip> with_speeds(std::vector<grader::Slip> slips, const char* read) {
  const std::vector<grader::Slip> of_speed = {
      {"i-for-2i",
       "Your exponent is -i/d. It is -2i/d, and i counts pairs of columns: over the d/2 pairs it falls from "
       "0 to nearly -1.",
       read},
      {"twice-2i",
       "Your exponent falls twice as fast as -2i/d: you divided 2i by d/2, or took the column 2i for i. If "
       "you count columns with c, the pair is i = c / 2, and 2i is c - c % 2.",
       read},
      {"pairs-from-1", "You counted pairs from 1. Pair 0 has the exponent 0, so it turns by 1 radian a step.",
       read},
      {"d-minus-2",
       "You divided i by d/2 - 1, so that the last pair reaches 1/10000. Some programs do. The formula here "
       "divides 2i by d.",
       read},
      {"one-speed", kOneSpeed, read},
      {"plus-in-the-exponent",
       "You multiplied by 10000^(2i/d), or divided by 10000^(-2i/d). The speeds are 10000^(-2i/d): later "
       "pairs turn more slowly.",
       read},
      {"minus-without-a-sign", kWithoutASign, read},
      {"base-1000", "Your base is 1000. It is 10000, with four zeros.", read},
      {"base-e", "Your base is e, that of std::exp. It is 10000.", read},
      {"whole-turns",
       "You multiplied the angle by 2π. The formula has p · w_i alone: the fastest hand turns by 1 radian a "
       "step, not by a whole turn.",
       read}};
  slips.insert(slips.end(), of_speed.begin(), of_speed.end());
  return slips;
}

inline Tensor table_with(const Made& made, std::size_t n, std::size_t d) {
  Array table(Shape{n, d}, 0.0);
  const double length = made("of-length-1") ? std::sqrt(2.0 / static_cast<double>(d)) : 1;
  for (std::size_t p = made("first-row-left-out") ? 1 : 0; p < n; ++p)
    for (std::size_t i = 0; i < d / 2 - (made("last-pair-left-out") ? 1 : 0); ++i) {
      const double at = made("position-left-out")
                            ? 1
                            : static_cast<double>(p + (made("positions-from-1") ? 1 : 0)) /
                                  (made("positions-by-n") ? static_cast<double>(n) : 1);
      const auto angle = [&](std::size_t column) {
        const double pair = made("exponent-of-each-column")         ? static_cast<double>(column) / 2
                            : made("exponent-of-twice-each-column") ? static_cast<double>(column)
                                                                    : -1;
        return at * (pair < 0 ? speed_of(made, i, d) : std::pow(10000, -2 * pair / static_cast<double>(d)));
      };
      double s = math::sin(angle(2 * i)), c = math::cos(angle(2 * i + 1));
      if (made("speed-outside"))
        s = math::sin(at) * speed_of(made, i, d), c = math::cos(at) * speed_of(made, i, d);
      if (made("minus-angle")) s = -s;
      if (made("sines-only")) c = math::sin(angle(2 * i + 1));
      if (made("cosines-only")) s = math::cos(angle(2 * i));
      if (made("cosine-first")) std::swap(s, c);
      const bool halves = made("in-halves");
      const bool bare = made("column-i");
      table(p, halves || bare ? i : 2 * i) = s * length;
      table(p, halves ? i + d / 2 : bare ? i + 1 : 2 * i + 1) = c * length;
    }
  return Tensor(table);
}

inline const std::vector<grader::Slip> kSlipsOfSinusoidalTable = with_speeds(
    {{"exponent-of-each-column",
      "You gave the sine and the cosine of a pair different speeds, -c/d by column c. Both columns of "
      "pair i have the exponent -2i/d. Only then their point moves on a circle.",
      kVectors},
     {"exponent-of-twice-each-column",
      "You used -2c/d with the column c. In the formula i counts pairs: columns 2i and 2i + 1 share "
      "-2i/d.",
      kVectors},
     {"cosine-first",
      "You exchanged sine and cosine. The sine stands in the even column 2i, the cosine after it.", kVectors},
     {"column-i",
      "You wrote into the columns i and i + 1, so the next pair overwrites the cosine. Pair i has the "
      "columns 2i and 2i + 1.",
      kVectors},
     {"in-halves",
      "You put all sines first and all cosines behind them. That is a usual form too. Here the two of "
      "a pair stand side by side, in columns 2i and 2i + 1.",
      kVectors},
     {"speed-outside",
      "You multiplied the sine and the cosine by the speed. The angle is p · w_i, inside: sin(p · w_i).",
      kVectors},
     {"minus-angle",
      "Your sines have a minus. The angle is p · w_i, and only the exponent of w_i has a minus.", kVectors},
     {"positions-from-1", "You counted positions from 1. Row 0 stands at position 0: its sines are 0.",
      kVectors},
     {"positions-by-n", "You divided the position by n. The angle is p · w_i.", kVectors},
     {"position-left-out", "Your angle is the speed w_i alone, in each row. It is p · w_i.", kVectors},
     {"first-row-left-out", "Row 0 stays 0. Its cosines are 1: count positions from 0.", kVectors},
     {"last-pair-left-out", "The last pair of columns stays 0. There are d/2 pairs.", kVectors},
     {"sines-only",
      "You put sines into both columns of a pair. Column 2i + 1 holds the cosine, without which no "
      "point on the circle is fixed.",
      kVectors},
     {"cosines-only", "You put cosines into both columns of a pair. Column 2i holds the sine.", kVectors},
     {"of-length-1",
      "You divided the rows by their length √(d/2), as Headlight's own table does. The formula of the "
      "exercise has no such factor.",
      kVectors}},
    kVectors);

inline std::vector<Mistake<SinusoidalTable>> of_sinusoidal_table() {
  return slips_of<SinusoidalTable>(table_with, kSlipsOfSinusoidalTable);
}

inline Tensor shift_with(const Made& made, std::size_t d, std::size_t k) {
  Array matrix(Shape{d, d}, 0.0);
  const double steps = made("one-step")        ? 1
                       : made("one-step-more") ? static_cast<double>(k) + 1
                       : made("one-step-less") ? static_cast<double>(k) - 1
                                               : static_cast<double>(k);
  for (std::size_t i = 0; i < (made("first-block-alone") ? 1 : d / 2); ++i) {
    const double turn = steps * speed_of(made, i, d);
    double c = math::cos(turn), s = math::sin(turn);
    if (made("sine-for-cosine")) std::swap(c, s);
    if (made("sines-only")) c = s;
    const bool halves = made("in-halves");
    const bool bare = made("column-i");
    const std::size_t a = halves || bare ? i : 2 * i, b = halves ? i + d / 2 : bare ? i + 1 : 2 * i + 1;
    double upper = made("no-minus") || made("backwards") ? s : -s,
           lower = made("both-minus") || made("backwards") ? -s : s;
    if (made("cosines-only")) upper = lower = 0;
    matrix(a, a) = c;
    matrix(b, b) = made("second-cosine-missing") ? 0 : made("second-cosine-negative") ? -c : c;
    matrix(a, b) = upper;
    matrix(b, a) = lower;
  }
  return Tensor(matrix);
}

inline const std::vector<grader::Slip> kSlipsOfShiftMatrix = with_speeds(
    {{"backwards",
      "Your matrix moves rows back by k: it is the transpose of what is asked for. Here a row stands "
      "to the left of M, so the first column of a block makes the new sine: sin cos(kw) + cos sin(kw).",
      kVectors},
     {"no-minus",
      "Both sines of your block are positive. The cosine of a sum of two angles has a minus: "
      "cos cos - sin sin. The sine has a plus.",
      kVectors},
     {"both-minus",
      "Both sines of your block are negative. The sine of a sum of two angles has a plus: "
      "sin cos + cos sin. The cosine has a minus.",
      kVectors},
     {"cosines-only",
      "Your matrix has cosines on the diagonal and zeros elsewhere. The sine of a sum also contains "
      "the cosine of the old angle: the two columns of a pair mix.",
      kVectors},
     {"second-cosine-missing", "The second place of each diagonal block is 0. It is cos(kw), too.", kVectors},
     {"second-cosine-negative",
      "The second cosine of your block has a minus. Both are cos(kw); only one sine is negative.", kVectors},
     {"sines-only", "All your numbers are sines. The diagonal holds cos(k w).", kVectors},
     {"sine-for-cosine",
      "You exchanged sine and cosine. A shift by 0 must change nothing, so the diagonal holds cos(k "
      "w), which is 1 there.",
      kVectors},
     {"column-i",
      "You wrote each block at rows and columns i and i + 1, so the blocks overlap. Pair i has 2i and 2i + "
      "1.",
      kVectors},
     {"in-halves",
      "You paired column i with column i + d/2, as rotary positions do. In the table of part 3 the two "
      "of a pair are neighbours, columns 2i and 2i + 1.",
      kVectors},
     {"one-step",
      "Your matrix moves rows on by one position. For k positions the angle of a pair is k times its "
      "speed.",
      kVectors},
     {"one-step-less", "Your matrix moves rows on by k - 1 positions.", kVectors},
     {"first-block-alone",
      "Only the first block of your matrix is set. There are d/2 of them, one for each pair.", kVectors},
     {"one-step-more", "Your matrix moves rows on by k + 1 positions.", kVectors}},
    kVectors);

inline std::vector<Mistake<ShiftMatrix>> of_shift_matrix() {
  return slips_of<ShiftMatrix>(shift_with, kSlipsOfShiftMatrix);
}

}  // namespace mistakes
