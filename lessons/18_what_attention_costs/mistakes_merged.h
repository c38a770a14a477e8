// What people write in the place of part 3.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Merged = std::function<Running(const Running&, const Running&)>;

// A learner may return the other one where one has seen no key, and then make a mistake only where both have.
// That is a slip of its own, with this behind its name.
inline const std::string kWhereBoth = "-where-both-have-keys";

// What part 3 multiplies the sums of a and of b by.
template <class Names>
std::pair<double, double> factors_of(const Names& made, const Running& a, const Running& b, double m) {
  double of_a = std::exp(a.m - m), of_b = std::exp(b.m - m);
  if (made("factors-inverted")) of_a = std::exp(m - a.m), of_b = std::exp(m - b.m);
  if (made("factors-from-each-other")) of_a = std::exp(a.m - b.m), of_b = std::exp(b.m - a.m);
  if (made("b-relative-to-a")) of_b = std::exp(b.m - a.m);
  if (made("a-relative-to-b")) of_a = std::exp(a.m - b.m);
  if (made("factors-are-powers")) of_a = std::exp(a.m), of_b = std::exp(b.m);
  if (made("relative-to-a")) of_a = 1, of_b = std::exp(b.m - a.m);
  if (made("relative-to-b")) of_a = std::exp(a.m - b.m), of_b = 1;
  if (made("factor-always-to-a")) of_a = std::exp(std::min(a.m, b.m) - m), of_b = 1;
  if (made("factor-always-to-b")) of_a = 1, of_b = std::exp(std::min(a.m, b.m) - m);
  if (made("factors-exchanged")) std::swap(of_a, of_b);
  if (made("a-not-rescaled")) of_a = 1;
  if (made("b-not-rescaled")) of_b = 1;
  if (made("not-rescaled")) of_a = of_b = 1;
  return {of_a, of_b};
}

inline Running merge(const Made& named, const Running& a, const Running& b) {
  const bool early =
      std::ranges::any_of(named.names, [](const std::string& n) { return n.ends_with(kWhereBoth); });
  const auto made = [&](const std::string& name) { return named(name) || named(name + kWhereBoth); };
  if (early && a.m == -INFINITY) return b;
  if (early && b.m == -INFINITY) return a;
  const double m = made("maximum-of-a")      ? a.m
                   : made("maximum-of-b")    ? b.m
                   : made("smaller-maximum") ? std::min(a.m, b.m)
                   : made("maximum-from-0")  ? std::max({0.0, a.m, b.m})
                                             : std::max(a.m, b.m);
  if (std::max(a.m, b.m) == -INFINITY && !made("hidden-both")) return a;
  if (made("larger-one-only")) return a.m >= b.m ? a : b;
  if ((made("empty-a-wins") || made("empty-wins")) && a.l == 0) return a;
  if ((made("empty-b-wins") || made("empty-wins")) && b.l == 0) return b;
  const auto [of_a, of_b] = factors_of(made, a, b, m);
  const bool plain_l = made("l-not-rescaled"), plain_o = made("o-not-rescaled"), one = made("b-as-one-key");
  Running all{m, (plain_l ? 1 : of_a) * a.l + (plain_l ? 1 : of_b) * (one ? 1 : b.l), a.o};
  if (made("l-of-b-not-rescaled")) all.l = of_a * a.l + b.l;
  if (made("returns-the-maximum-of-a")) all.m = a.m;
  if (made("l-is-a-maximum")) all.l = std::max(of_a * a.l, of_b * b.l);
  if (made("l-of-b-only")) all.l = of_b * b.l;
  if (made("l-is-a-mean")) all.l /= 2;
  const bool times = made("outputs-times-l"), divided = made("each-divided-by-l");
  for (std::size_t c = 0; c < all.o.size(); ++c) {
    const double by_a = times     ? a.l * a.o[c]
                        : divided ? a.o[c] / a.l
                                  : a.o[c],
                 by_b = times            ? b.l * b.o[c]
                        : one || divided ? b.o[c] / b.l
                                         : b.o[c];
    all.o[c] = (plain_o ? 1 : of_a) * by_a + (plain_o ? 1 : of_b) * by_b;
    if (made("o-of-b-not-rescaled")) all.o[c] = of_a * by_a + by_b;
    if (made("outputs-averaged")) all.o[c] = (a.o[c] / a.l + b.o[c] / b.l) / 2;
    if (made("o-of-a-only")) all.o[c] = of_a * a.o[c];
    if (made("o-of-b-only")) all.o[c] = of_b * b.o[c];
    if (made("o-is-a-mean")) all.o[c] /= 2;
    if (made("weighted-by-l")) all.o[c] = of_a * a.l * a.o[c] + of_b * b.l * b.o[c];
    if (made("divided-by-l") || made("weighted-by-l")) all.o[c] /= all.l;
  }
  if (made("log-sum-returned")) all.m += std::log(all.l);
  return all;
}

inline const std::vector<Slip> kSlipsOfMerged = {
    {"not-rescaled",
     "You added l and o as they are. Those of a are relative to a.m, those of b to b.m. Before you add them, "
     "make both relative to the larger one: times e^(own m - larger m).",
     kRow},
    {"a-not-rescaled",
     "You rescale b only. If b.m is the larger one, a must be rescaled. Either of the two can have it.",
     kRow},
    {"b-not-rescaled",
     "You rescale a only. If a.m is the larger one, b must be rescaled. Either of the two can have it.",
     kRow},
    {"l-of-b-not-rescaled", "You add b.l as it is. It is relative to b.m, so it gets the factor of b.", kRow},
    {"o-of-b-not-rescaled", "You add b.o as it is. It is relative to b.m, so it gets the factor of b.", kRow},
    {"returns-the-maximum-of-a",
     "The m that you return is a.m. l and o are relative to the larger one of a.m and b.m: return that.",
     kRow},
    {"l-not-rescaled", "You rescale o and not l. Both are sums of powers, so both get the factors.", kRow},
    {"o-not-rescaled", "You rescale l and not o. Both are sums of powers, so both get the factors.", kRow},
    {"factors-inverted",
     "Your factors are upside down: e^(larger m - own m). Sums relative to a smaller maximum become smaller: "
     "e^(own m - larger m).",
     kRow},
    {"factors-from-each-other",
     "Your factors are e^(a.m - b.m) and e^(b.m - a.m). One of them is above 1 and can overflow. Both are "
     "relative to the larger m: e^(own m - larger m).",
     kRow},
    {"b-relative-to-a",
     "Your factor of b is e^(b.m - a.m). Where b.m is the larger one that is above 1, and the sums of a are "
     "relative to b.m already. Both are relative to the larger m: e^(own m - larger m).",
     kRow},
    {"a-relative-to-b",
     "Your factor of a is e^(a.m - b.m). Where a.m is the larger one that is above 1, and the sums of b are "
     "relative to a.m already. Both are relative to the larger m: e^(own m - larger m).",
     kRow},
    {"factors-are-powers",
     "Your factors are e^(own m). The larger m must be subtracted, or they overflow: e^(own m - larger m).",
     kRow},
    {"factors-exchanged", "You gave the factor of a to b, and that of b to a.", kRow},
    {"factor-always-to-a",
     "You always multiply a by the factor. Where a.m is the larger one, a stays as it is, and b gets the "
     "factor: e^(own m - larger m).",
     kRow},
    {"factor-always-to-b",
     "You always multiply b by the factor. Where b.m is the larger one, b stays as it is, and a gets the "
     "factor: e^(own m - larger m).",
     kRow},
    {"maximum-of-a", "You took a.m for the new m. It is the larger one of a.m and b.m.", kRow},
    {"maximum-of-b", "You took b.m for the new m. It is the larger one of a.m and b.m.", kRow},
    {"smaller-maximum", "You took the smaller m. Relative to it the powers of the other can overflow.", kRow},
    {"maximum-from-0",
     "Your m is at least 0. Scores may all be negative: m is the larger one of a.m and b.m.", kRow},
    {"hidden-both",
     "You get NaN where neither has seen a key: -∞ - (-∞). Then nothing is known, and the result is a, or b.",
     kRow},
    {"empty-wins", "If one of the two has seen no key, the other one is the result.", kRow},
    {"empty-a-wins", "If a has seen no key, you return a. Then b is the result.", kRow},
    {"empty-b-wins", "If b has seen no key, you return b. Then a is the result.", kRow},
    {"relative-to-a",
     "You left a as it is and multiply b by e^(b.m - a.m). The sums are then relative to a.m, which need not "
     "be the larger one: e^(own m - larger m) for both.",
     kRow},
    {"relative-to-b",
     "You left b as it is and multiply a by e^(a.m - b.m). The sums are then relative to b.m, "
     "which need not be the larger one: e^(own m - larger m) for both.",
     kRow},
    {"larger-one-only",
     "You returned the one with the larger m. The keys of the other still count, with smaller powers.", kRow},
    {"b-as-one-key",
     "You added b as if it were one key with the score b.m and the value b.o / b.l. It stands for many keys: "
     "its l and o are their sums.",
     kRow},
    {"outputs-times-l",
     "You multiplied each o by its l, as if o were divided by l already. Here o is the undivided sum.", kRow},
    {"each-divided-by-l",
     "You divided each o by its own l before adding. Here o is the undivided sum, before and after.", kRow},
    {"outputs-averaged",
     "Your o is the mean of the two results. The results count as much as the sums of their powers: add the "
     "undivided sums.",
     kRow},
    {"weighted-by-l",
     "You took the mean of a.o and b.o, weighted with l. That is right for outputs which are "
     "divided already. Here o is the undivided sum: add the two.",
     kRow},
    {"divided-by-l", "You divided o by l. In a Running o is the undivided sum.", kRow},
    {"o-of-a-only", "Your o is that of a alone.", kRow},
    {"o-of-b-only", "Your o is that of b alone, as by = where += belongs.", kRow},
    {"l-of-b-only", "Your l is that of b alone, as by = where += belongs.", kRow},
    {"o-is-a-mean", "You halved o. It is the sum over all keys, not a mean.", kRow},
    {"l-is-a-mean", "You halved l. It is the sum over all keys, not a mean.", kRow},
    {"l-is-a-maximum", "Your l is the larger one of the two. It is their sum, both rescaled.", kRow},
    {"log-sum-returned", "Your m is m + log l. Here m is the largest score.", kRow}};

inline std::vector<Mistake<Merged>> of_merged() {
  std::vector<Slip> slips = kSlipsOfMerged;
  for (const char* name : {"factors-inverted",   "factors-from-each-other",
                           "b-relative-to-a",    "a-relative-to-b",
                           "factors-are-powers", "relative-to-a",
                           "factors-exchanged",  "factor-always-to-a",
                           "factor-always-to-b", "maximum-of-a",
                           "maximum-of-b",       "smaller-maximum",
                           "maximum-from-0",     "b-as-one-key",
                           "outputs-times-l",    "each-divided-by-l",
                           "outputs-averaged",   "divided-by-l",
                           "o-of-a-only",        "o-of-b-only",
                           "l-of-b-only",        "relative-to-b",
                           "o-is-a-mean",        "l-is-a-mean",
                           "log-sum-returned"}) {
    Slip slip = *std::ranges::find(kSlipsOfMerged, name, &Slip::name);
    slip.name += kWhereBoth;
    slips.push_back(std::move(slip));
  }
  return slips_of<Merged>(merge, slips);
}

}  // namespace mistakes
