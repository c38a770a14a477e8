// What people write for rotate and rotate_back, and what is wrong with it.
#pragma once

#include "position_mistakes.h"

namespace mistakes {

inline constexpr const char *kRotary = "Rotary positions", *kRotateBack = "The backward pass of a rotation";

using Rotate = std::function<Tensor(const Tensor&, std::size_t)>;

// The position of a row of x, counted over all axes before the last.
inline double position_of(const Made& made, const Tensor& x, std::size_t row, std::size_t first) {
  if (made("minus-first")) first = -first;
  std::size_t r = row % x.length(-2);
  if (made("counted-through-the-batch")) r = row;
  if (made("axis-0-for-the-rows")) r = row % x.length(0);
  if (made("all-at-first")) r = 0;
  if (made("positions-from-1")) ++r;
  if (made("one-position-early")) --first;
  if (made("first-subtracted")) return static_cast<double>(first) - static_cast<double>(r);
  return static_cast<double>(made("first-ignored") ? r : made("row-times-first") ? r * first : first + r);
}

// A pair turned by an angle with this cosine and sine.
inline void turn(const Made& made, double& a, double& b, double c, double s) {
  if (made("sine-for-cosine")) std::swap(c, s);
  if (made("cosines-only")) s = c;
  const double of_b = made("no-minus") ? b * s : -b * s;
  const double old = a;
  a = made("b-left-out") ? a * c : a * c + of_b;
  const double with = made("new-a-used") ? a : old;
  const double of_a = made("both-minus") ? -with * s : with * s;
  b = made("a-left-out")     ? b * c
      : made("cosine-twice") ? b * c + with * c
      : made("b-as-it-was")  ? b
                             : b * c + of_a;
  if (made("halves-exchanged")) std::swap(a, b);
}

inline Tensor turned_with(const Made& made, const Tensor& x, std::size_t first, double sign) {
  const std::size_t d = x.length(-1), half = d / 2;
  Array y = x.array();
  if (made("as-it-came")) return Tensor(y);
  const std::size_t rows = made("first-text-alone") ? x.length(-2) : y.size() / d;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < half - (made("last-pair-left-out") ? 1 : 0); ++i) {
      double* at = y.data() + row * d;
      const bool neighbours = made("neighbours");
      const double angle = position_of(made, x, row, first) * speed_of(made, i, d);
      turn(made, at[neighbours ? 2 * i : i], at[neighbours ? 2 * i + 1 : i + half], math::cos(angle),
           sign * math::sin(angle));
    }
  return made("minus-x") ? -Tensor(y) : Tensor(y);
}

inline Tensor rotated(const Made& made, const Tensor& x, std::size_t first) {
  return turned_with(made, x, first, made("backwards") ? -1 : 1);
}

inline Tensor rotated_back(const Made& made, const Tensor& g, std::size_t first) {
  return turned_with(made, g, first, made("forwards") || made("minus-first") ? 1 : -1);
}

// The slips that both parts may have.
inline std::vector<grader::Slip> with_turns(std::vector<grader::Slip> slips, const char* read) {
  const std::vector<grader::Slip> of_turns = {
      {"neighbours",
       "You paired neighbours, columns 2i and 2i + 1. Some programs do. Here column i is paired with column "
       "i + d/2.",
       read},
      {"halves-exchanged",
       "You exchanged the halves of the result. The first of a pair stays in column i, the second in column "
       "i + d/2.",
       read},
      {"first-ignored",
       "You took the number of the row for its position. Row r stands at position first + r, so "
       "that a text can be continued.",
       read},
      {"all-at-first", "You turned every row by the position `first`. Row r stands at first + r.", read},
      {"row-times-first", "You multiplied the row by `first`. Row r stands at first + r.", read},
      {"positions-from-1", "You counted rows from 1. Row 0 stands at position `first` itself.", read},
      {"counted-through-the-batch",
       "You counted rows on from one text of the batch to the next. Each text begins at `first` again: the "
       "position is first + row % n.",
       read},
      {"first-text-alone", "You turned the first text of a batch alone. Loop over all x.size() / d rows.",
       read},
      {"axis-0-for-the-rows",
       "You took the length of axis 0 for the number of rows. With a batch in front, that is the number of "
       "texts: the rows stand on the last axis but one, x.length(-2).",
       read},
      {"sine-for-cosine", "You exchanged sine and cosine. At position 0 nothing may turn, and cos 0 is 1.",
       read},
      {"cosines-only", "You took cosines only. Two of the four terms have the sine.", read},
      {"one-position-early", "You turned by position first - 1 + r. Row r stands at first + r.", read},
      {"b-left-out", "The new a is a cos alone. The other of the pair belongs there too, times the sine.",
       read},
      {"a-left-out", "The new b is b cos alone. The other of the pair belongs there too, times the sine.",
       read},
      {"b-as-it-was", "You turned a only, and left b as it was. Both of a pair change.", read},
      {"cosine-twice",
       "The new b has two cosines in your code. One of its two terms has the sine: that with a.", read},
      {"new-a-used",
       "You changed a first and then computed b with the new a. Both need the old a: keep it in a variable.",
       read},
      {"last-pair-left-out", "The last pair of columns stays as it was. There are d/2 pairs.", read},
      {"minus-x",
       "You changed the sign of everything: cosines and sines alike. Only the sines change their sign with "
       "the angle.",
       read}};
  slips.insert(slips.end(), of_turns.begin(), of_turns.end());
  return with_speeds(slips, read);
}

inline const std::vector<grader::Slip> kSlipsOfRotate =
    with_turns({{"backwards",
                 "You turned by the negative angle. The minus stands in front of b sin, and the plus in "
                 "front of a sin.",
                 kRotary},
                {"no-minus",
                 "You have a plus in front of both sines. That is no rotation: lengths change. The first "
                 "of a pair gets a cos - b sin.",
                 kRotary},
                {"both-minus",
                 "You have a minus in front of both sines. That is no rotation: lengths change. The second "
                 "of a pair gets b cos + a sin.",
                 kRotary}},
               kRotary);

inline std::vector<Mistake<Rotate>> of_rotate() { return slips_of<Rotate>(rotated, kSlipsOfRotate); }

inline const std::vector<grader::Slip> kSlipsOfRotateBack = with_turns(
    {{"forwards",
      "You turned by the positive angle again. What arrives must be turned by the negative angle: cos "
      "stays, sin changes its sign.",
      kRotateBack},
     {"as-it-came",
      "You returned g as it came. The rotation mixed the two numbers of a pair, so their cotangents "
      "mix too.",
      kRotateBack},
     {"both-minus",
      "You changed the sign in front of b sin only. Both sines change theirs: a cos + b sin, and "
      "b cos - a sin.",
      kRotateBack},
     {"no-minus",
      "You changed the sign in front of a sin only. Both sines change theirs: a cos + b sin, and "
      "b cos - a sin.",
      kRotateBack},
     {"first-subtracted",
      "You turned by r - first, with a minus at `first` alone. The position is first + r, and all of "
      "it gets the minus: -(first + r).",
      kRotateBack},
     {"minus-first",
      "You called rotate with -first. A std::size_t has no sign, so -first is about 1.8e19. And the "
      "sign belongs to the whole position, -(first + r): give it to the sines.",
      kRotateBack}},
    kRotateBack);

inline std::vector<Mistake<Rotate>> of_rotate_back() {
  return slips_of<Rotate>(rotated_back, kSlipsOfRotateBack);
}

}  // namespace mistakes
