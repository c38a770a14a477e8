#include "claims.h"

#include <algorithm>

namespace headlight::puzzles {
namespace {

using Of = std::function<int(const Numbers&)>;

Of at(std::size_t place) {
  return [place](const Numbers& x) { return x[place]; };
}
Of constant(int value) {
  return [value](const Numbers&) { return value; };
}
int last(const Numbers& x) { return x.back(); }
int carried(const Numbers&, int c) { return c; }

// That the heads carry `carries`, of which the answer takes no notice: it is `f` of the input.
Claim idle(const std::string& heads, const Of& looks, const Of& carries, const Of& f) {
  return {heads, looks, carries, [f](const Numbers& x, int) { return f(x); }};
}

int copy_of_last(const Numbers& x) {
  return static_cast<int>(std::find(x.begin(), x.end(), x.back()) - x.begin());
}

// Of a head that carries what stands at a place that depends on the input.
KnownClaims carries_from(const std::string& heads, const Of& place, const Of& answer) {
  const auto there = [place](const Numbers& x) { return x[static_cast<std::size_t>(place(x))]; };
  return {{heads, place, there, carried},
          {idle(heads, place, constant(0), answer),
           idle(heads, place, last, answer),
           {heads, place, place, [](const Numbers& x, int c) { return x[static_cast<std::size_t>(c)]; }}}};
}

KnownClaims on_bit(const Of& looks, const Of& bit) {
  return {{"L0H0", looks, bit, carried},
          {{"L0H0", looks, at(0), [](const Numbers& x, int c) { return int(c == last(x)); }},
           idle("L0H0", looks, constant(0), bit),
           idle("L0H0", looks, last, bit)}};
}

KnownClaims on_count() {
  const Of ones = [](const Numbers& x) { return static_cast<int>(std::ranges::count(x, 1)); };
  const Of rest = [ones](const Numbers& x) { return ones(x) % 3; };
  return {{"L0H0", constant(kNowhere), ones, [](const Numbers&, int c) { return c % 3; }},
          {idle("L0H0", constant(kNowhere), constant(0), rest),
           {"L0H0", constant(kNowhere),
            [](const Numbers& x) { return int(std::count(x.begin(), x.end() - 1, 1)); },
            [](const Numbers& x, int c) { return (c + (last(x) == 1)) % 3; }},
           {"L0H0", constant(kNowhere),
            [](const Numbers& x) { return int(std::count(x.begin() + 1, x.end(), 1)); },
            [](const Numbers& x, int c) { return (c + (x[0] == 1)) % 3; }}}};
}

int behind_copy(const Numbers& x) { return copy_of_last(x) + 1; }
int at_behind(const Numbers& x) { return x[static_cast<std::size_t>(behind_copy(x))]; }

KnownClaims on_decoration() {
  const auto place = [](const Numbers& x) { return behind_copy(x); };
  return {
      idle("L1H1", place, constant(0), at_behind),
      {{"L1H1", place, at_behind, carried},
       {"L1H1", place, behind_copy, [](const Numbers& x, int c) { return x[static_cast<std::size_t>(c)]; }},
       {"L1H1", place, [](const Numbers& x) { return (at_behind(x) + last(x)) % 5; },
        [](const Numbers& x, int c) { return (c + 5 - last(x)) % 5; }}}};
}

KnownClaims on_shared() {
  const Of anywhere = constant(kNowhere);
  return {{"L0H1 L0H2", anywhere, at(1), carried},
          {{"L0H1", anywhere, at(1), carried},
           {"L0H2", anywhere, at(1), carried},
           idle("L0H1 L0H2", anywhere, constant(0), at(1))}};
}

KnownClaims on_sum() {
  const Of sum = [](const Numbers& x) { return (x[0] + x[1]) % 4; };
  return {
      {"L0H0 L0H1 L0H2", constant(kNowhere), sum, carried},
      {{"L0H0", constant(kNowhere), at(0), [](const Numbers& x, int c) { return (c + x[1]) % 4; }},
       {"L0H0 L0H1 L0H2", constant(kNowhere), at(1), [](const Numbers& x, int c) { return (c + x[0]) % 4; }},
       {"L0H1", constant(kNowhere), sum, carried}}};
}

}  // namespace

KnownClaims claims_on(int puzzle) {
  const Of largest = [](const Numbers& x) { return *std::ranges::max_element(x); };
  switch (puzzle) {
    case 1:
      return carries_from("L0H0", constant(0), at(0));
    case 2:
      return carries_from("L0H0", constant(2), at(2));
    case 3:
      return carries_from(
          "L0H0", [](const Numbers& x) { return int(std::ranges::max_element(x) - x.begin()); }, largest);
    case 4:
      return carries_from("L0H0", last,
                          [](const Numbers& x) { return x[static_cast<std::size_t>(last(x))]; });
    case 5:
      return carries_from("L0H0", constant(3), at(3));
    case 6:
      return on_bit([](const Numbers& x) { return x[0] == last(x) ? 0 : 3; },
                    [](const Numbers& x) { return int(x[0] == last(x)); });
    case 7:
      return on_count();
    case 8:
      return carries_from("L1H0", behind_copy, at_behind);
    case 9:
      return on_decoration();
    case 10:
      return carries_from(
          "L1H1", [](const Numbers& x) { return copy_of_last(x) + 2; },
          [](const Numbers& x) { return x[static_cast<std::size_t>(copy_of_last(x) + 2)]; });
    case 11:
      return on_shared();
    default:
      return on_sum();
  }
}

}  // namespace headlight::puzzles
