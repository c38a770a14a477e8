// What people write for rotate and rotate_back, and what is wrong with it.
#pragma once

#include <cmath>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/core/math.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char *kRotary = "Rotary positions", *kRotateBack = "The backward pass of a rotation";

using Rotate = Tensor (*)(const Tensor&, std::size_t);

// A row of x and a pair in it.
struct PairAt {
  std::size_t row, n;  // counted over all axes before the last; rows of the last but one axis
  double i, d;         // pair i of d/2
  double place() const { return static_cast<double>(row % n); }
};

inline double speed(const PairAt& at) { return std::pow(10000, -2 * at.i / at.d); }

// x with each pair (a, b) changed: change(a, b, cos, sin) of angle(pair). The halves of a row are paired, or
// neighbours.
template <class Angle, class Change>
Tensor each_pair(const Tensor& x, Angle angle, Change change, bool neighbours = false) {
  const std::size_t n = x.length(-2), d = x.length(-1), half = d / 2;
  Array y = x.array();
  for (std::size_t row = 0; row < y.size() / d; ++row)
    for (std::size_t i = 0; i < half; ++i) {
      double* at = y.data() + row * d;
      double &a = at[neighbours ? 2 * i : i], &b = at[neighbours ? 2 * i + 1 : i + half];
      const double turn = angle(PairAt{row, n, static_cast<double>(i), static_cast<double>(d)});
      change(a, b, std::cos(turn), std::sin(turn));
    }
  return Tensor(y);
}

inline void forwards(double& a, double& b, double c, double s) {
  const double before = a;
  a = before * c - b * s;
  b = b * c + before * s;
}
inline void backwards(double& a, double& b, double c, double s) { forwards(a, b, c, -s); }

inline auto from(std::size_t first) {
  return [first](const PairAt& at) { return (static_cast<double>(first) + at.place()) * speed(at); };
}

// rotate with other angles, and with another change of the pairs.
template <class Angle>
Tensor at_angles(const Tensor& x, Angle angle) {
  return each_pair(x, angle, forwards);
}
template <class Change>
Tensor changed(const Tensor& x, std::size_t first, Change change) {
  return each_pair(x, from(first), change);
}

// The angle of a position at another speed.
template <class Speed>
Tensor at_speed(const Tensor& x, std::size_t first, Speed of) {
  return at_angles(
      x, [&](const PairAt& at) { return (static_cast<double>(first) + at.place()) * of(at.i, at.d); });
}

// As a learner writes it: without a decimal point all of this is computed without a sign. The huge angle is
// refused by the library's cosine.
inline Tensor minus_without_a_sign(const Tensor& x, std::size_t first) {
  const std::size_t d = x.length(-1);
  return at_angles(x, [&](const PairAt& at) {
    const double turn = (static_cast<double>(first) + at.place()) *
                        math::power(10000, -2 * static_cast<std::size_t>(at.i) / d);
    math::cos(turn);
    return turn;
  });
}

inline void sine_for_cosine(double& a, double& b, double c, double s) { forwards(a, b, s, c); }
inline void no_minus(double& a, double& b, double c, double s) {
  const double before = a;
  a = before * c + b * s;
  b = b * c + before * s;
}
inline void both_minus(double& a, double& b, double c, double s) {
  const double before = a;
  a = before * c - b * s;
  b = b * c - before * s;
}
inline void new_a_used(double& a, double& b, double c, double s) {
  a = a * c - b * s;
  b = b * c + a * s;
}
inline void new_a_used_back(double& a, double& b, double c, double s) { new_a_used(a, b, c, -s); }

inline constexpr const char* kNewAUsed =
    "You changed a first and then computed b with the new a. Both need the old a: keep it in a variable.";

inline const std::vector<Mistake<Rotate>> kOfRotate = {
    {"neighbours",
     "You paired neighbours, columns 2i and 2i + 1. Some programs do. Here column i is paired with column "
     "i + d/2.",
     kRotary, [](const Tensor& x, std::size_t first) { return each_pair(x, from(first), forwards, true); }},
    {"backwards",
     "You turned by the negative angle. The minus stands in front of b sin, and the plus in front of a sin.",
     kRotary, [](const Tensor& x, std::size_t first) { return changed(x, first, backwards); }},
    {"first-ignored",
     "You took the number of the row for its position. Row r stands at position first + r, so "
     "that a text can be continued.",
     kRotary, [](const Tensor& x, std::size_t) { return at_angles(x, from(0)); }},
    {"all-at-first", "You turned every row by the position `first`. Row r stands at first + r.", kRotary,
     [](const Tensor& x, std::size_t first) {
       return at_angles(x, [&](const PairAt& at) { return static_cast<double>(first) * speed(at); });
     }},
    {"positions-from-1", "You counted rows from 1. Row 0 stands at position `first` itself.", kRotary,
     [](const Tensor& x, std::size_t first) { return at_angles(x, from(first + 1)); }},
    {"counted-through-the-batch",
     "You counted rows on from one text of the batch to the next. Each text begins at `first` again: the "
     "position is first + row % n.",
     kRotary,
     [](const Tensor& x, std::size_t first) {
       return at_angles(x, [&](const PairAt& at) { return static_cast<double>(first + at.row) * speed(at); });
     }},
    {"axis-0-for-the-rows",
     "You took the length of axis 0 for the number of rows. With a batch in front, that is the number of "
     "texts: the rows stand on the last axis but one, x.length(-2).",
     kRotary,
     [](const Tensor& x, std::size_t first) {
       return at_angles(x, [&](const PairAt& at) {
         return static_cast<double>(first + at.row % x.length(0)) * speed(at);
       });
     }},
    {"i-for-2i", "Your exponent is -i/d. It is -2i/d, for the pairs i = 0 … d/2 - 1.", kRotary,
     [](const Tensor& x, std::size_t first) {
       return at_speed(x, first, [](double i, double d) { return std::pow(10000, -i / d); });
     }},
    {"half-of-d",
     "You divided 2i by d/2, the number of pairs. It is -2i/d, or i divided by the number of pairs.", kRotary,
     [](const Tensor& x, std::size_t first) {
       return at_speed(x, first, [](double i, double d) { return std::pow(10000, -4 * i / d); });
     }},
    {"one-speed",
     "All your pairs turn at the same speed, 1. If you wrote 2 * i / d with whole numbers, that is 0 in C++: "
     "write 2.0 * i / d.",
     kRotary,
     [](const Tensor& x, std::size_t first) {
       return at_speed(x, first, [](double, double) { return 1.0; });
     }},
    {"plus-in-the-exponent",
     "You multiplied by 10000^(2i/d). The exponent is negative: later pairs turn more slowly.", kRotary,
     [](const Tensor& x, std::size_t first) {
       return at_speed(x, first, [](double i, double d) { return std::pow(10000, 2 * i / d); });
     }},
    {"minus-without-a-sign",
     "In -2 * i / d the whole numbers have no sign in C++, and the -2 becomes a huge positive number. Write "
     "-2.0 * i / d.",
     kRotary, minus_without_a_sign},
    {"base-1000", "Your base is 1000. It is 10000, with four zeros.", kRotary,
     [](const Tensor& x, std::size_t first) {
       return at_speed(x, first, [](double i, double d) { return std::pow(1000, -2 * i / d); });
     }},
    {"sine-for-cosine", "You exchanged sine and cosine. At position 0 nothing may turn, and cos 0 is 1.",
     kRotary, [](const Tensor& x, std::size_t first) { return changed(x, first, sine_for_cosine); }},
    {"no-minus",
     "You have a plus in front of both sines. That is no rotation: lengths change. The first of a pair gets "
     "a cos - b sin.",
     kRotary, [](const Tensor& x, std::size_t first) { return changed(x, first, no_minus); }},
    {"new-a-used", kNewAUsed, kRotary,
     [](const Tensor& x, std::size_t first) { return changed(x, first, new_a_used); }},
};

inline const std::vector<Mistake<Rotate>> kOfRotateBack = {
    {"forwards",
     "You turned by the positive angle again. What arrives must be turned by the negative angle: cos stays, "
     "sin changes its sign.",
     kRotateBack, [](const Tensor& g, std::size_t first) { return changed(g, first, forwards); }},
    {"as-it-came",
     "You returned g as it came. The rotation mixed the two numbers of a pair, so their cotangents mix too.",
     kRotateBack, [](const Tensor& g, std::size_t) { return g * 1; }},
    {"minus-g", "You turned -g. The angle changes its sign, not the vector.", kRotateBack,
     [](const Tensor& g, std::size_t first) { return -changed(g, first, forwards); }},
    {"minus-rotated-back",
     "You changed the sign of the cosine as well as that of the sine. The cosine of -α is the cosine of α.",
     kRotateBack, [](const Tensor& g, std::size_t first) { return -changed(g, first, backwards); }},
    {"one-sign-only",
     "You changed the sign in front of b sin only. Both sines change theirs: a cos + b sin, and "
     "b cos - a sin.",
     kRotateBack, [](const Tensor& g, std::size_t first) { return changed(g, first, no_minus); }},
    {"other-sign-only",
     "You changed the sign in front of a sin only. Both sines change theirs: a cos + b sin, and "
     "b cos - a sin.",
     kRotateBack, [](const Tensor& g, std::size_t first) { return changed(g, first, both_minus); }},
    {"first-turned-back-alone",
     "You turned by r - first, with a minus at `first` alone. The position is first + r, and all of it gets "
     "the minus: -(first + r).",
     kRotateBack,
     [](const Tensor& g, std::size_t first) {
       return at_angles(
           g, [&](const PairAt& at) { return (at.place() - static_cast<double>(first)) * speed(at); });
     }},
    {"minus-first",
     "You called rotate with -first. A std::size_t has no sign, so -first is about 1.8e19. And the sign "
     "belongs to the whole position, -(first + r): give it to the sines.",
     kRotateBack, [](const Tensor& g, std::size_t first) { return solution::rotate(g, -first); }},
    {"first-ignored",
     "You took the number of the row for its position. Row r was turned by position first + r, so it turns "
     "back by that.",
     kRotateBack, [](const Tensor& g, std::size_t) { return each_pair(g, from(0), backwards); }},
    {"halves-exchanged",
     "You paired b with a, the halves exchanged. That changes the sense of turning and the order: a stays in "
     "column i.",
     kRotateBack,
     [](const Tensor& g, std::size_t first) {
       return changed(g, first, [](double& a, double& b, double c, double s) {
         backwards(a, b, c, s);
         std::swap(a, b);
       });
     }},
    {"neighbours", "You paired neighbours here. Part 5 pairs column i with column i + d/2.", kRotateBack,
     [](const Tensor& g, std::size_t first) { return each_pair(g, from(first), backwards, true); }},
    {"new-a-used", kNewAUsed, kRotateBack,
     [](const Tensor& g, std::size_t first) { return changed(g, first, new_a_used_back); }},
};

}  // namespace mistakes
