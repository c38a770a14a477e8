#include "grader/known_mistake.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "grader/call_mistake.h"
#include "grader/exact_mistake.h"

namespace headlight::grader {
namespace {

using Bits = std::vector<bool>;

constexpr std::size_t kFewestValues = 3;  // of a result that is evidence
constexpr double kSmall = 10;             // of a whole number
constexpr std::size_t kFewestCalls = 2;   // that show a mistake beside something else

bool same_output(const Outcome& a, const Outcome& b, std::size_t output, double tolerance) {
  return a.end == Outcome::End::returned && b.end == Outcome::End::returned &&
         output < std::min(a.result.size(), b.result.size()) &&
         !difference({a.result[output]}, {b.result[output]}, tolerance);
}

// Whether what is wrong in a result can hardly be so by chance: a fraction, or several whole numbers that are
// not all small. Two mistakes often agree on a yes, a count, a place or a NaN.
bool is_evidence(const std::set<double>& wrong) {
  const auto is_fraction = [](double x) { return x != std::round(x); };
  const auto is_large = [](double x) { return std::abs(x) > kSmall; };
  return std::ranges::any_of(wrong, is_fraction) ||
         (wrong.size() >= kFewestValues && std::ranges::any_of(wrong, is_large));
}

// Every result of every call, compared with the solution and with each mistake. A cell is a result of a call.
struct Comparison {
  std::size_t calls = 0, outputs = 0;
  Bits right, evidence;            // of a cell: found is the solution's; it has enough different numbers
  std::vector<std::size_t> wrong;  // of a cell: how many different numbers are wrong
  std::vector<Bits> agrees, errs;  // of a mistake and a cell: it is found's; it is not the solution's

  std::size_t cell(std::size_t call, std::size_t output) const { return call * outputs + output; }
  std::size_t mistakes() const { return agrees.size(); }
};

// The mistakes of the bank that are not several together.
std::vector<std::size_t> singles_of(const Part& part) {
  std::vector<std::size_t> singles;
  for (std::size_t k = 0; k < part.mistakes.size(); ++k)
    if (part.mistakes[k].of.empty()) singles.push_back(k);
  return singles;
}

// Nothing when a call did not return, or not as many results as the solution.
std::optional<Comparison> compared(const Part& part, const std::vector<Outcome>& found,
                                   const Outcomes& known) {
  Comparison all;
  all.calls = found.size();
  all.outputs = found.empty() ? 0 : found[0].result.size();
  const auto fits = [&](const Outcome& o) {
    return o.end == Outcome::End::returned && o.result.size() == all.outputs;
  };
  for (std::size_t c = 0; c < all.calls; ++c) {
    const Outcome solution = known(c, kSolution);
    if (!fits(found[c]) || !fits(solution)) return {};
    for (std::size_t o = 0; o < all.outputs; ++o) {
      all.right.push_back(same_output(found[c], solution, o, part.tolerance));
      const auto wrong = wrong_numbers(found[c].result[o], solution.result[o], part.tolerance);
      all.evidence.push_back(!all.right.back() && is_evidence(wrong));
      all.wrong.push_back(wrong.size());
    }
  }
  for (const std::size_t k : singles_of(part)) {
    Bits agrees, errs;
    for (std::size_t c = 0; c < all.calls; ++c) {
      const Outcome mistake = known(c, kFirstMistake + k), solution = known(c, kSolution);
      for (std::size_t o = 0; o < all.outputs; ++o) {
        agrees.push_back(same_output(found[c], mistake, o, part.tolerance));
        errs.push_back(!same_output(solution, mistake, o, part.tolerance));
      }
    }
    all.agrees.push_back(agrees), all.errs.push_back(errs);
  }
  return all;
}

// Whether `holds` is true of this output on every call, or on one.
template <class Holds>
bool on_every_call(const Comparison& all, std::size_t output, Holds holds) {
  for (std::size_t c = 0; c < all.calls; ++c)
    if (!holds(all.cell(c, output))) return false;
  return true;
}
template <class Holds>
bool on_a_call(const Comparison& all, std::size_t output, Holds holds) {
  return !on_every_call(all, output, [&](std::size_t cell) { return !holds(cell); });
}

// Two mistakes, the outputs that only the first explains and those that only the second does, and how many
// outputs they would make wrong in another way if each were there alone.
struct Pair {
  std::size_t first = 0, second = 0, unexplained = 0;
  std::vector<std::size_t> of_first, of_second;
};

std::optional<Pair> pair_of(const Comparison& all, std::size_t a, std::size_t b) {
  Pair pair;
  pair.first = a, pair.second = b;
  for (std::size_t o = 0; o < all.outputs; ++o) {
    const auto errs = [&](std::size_t k) {
      return on_a_call(all, o, [&](std::size_t cell) { return all.errs[k][cell]; });
    };
    const auto agrees = [&](std::size_t k) {
      return on_every_call(all, o, [&](std::size_t cell) { return all.agrees[k][cell]; });
    };
    if (on_every_call(all, o, [&](std::size_t cell) { return all.right[cell]; })) {
      if (errs(a) || errs(b)) return {};
      continue;
    }
    const bool by_a = agrees(a), by_b = agrees(b);
    if (!by_a && !by_b) return {};
    if (by_a && by_b) continue;
    if (!on_a_call(all, o, [&](std::size_t cell) { return all.evidence[cell]; })) return {};
    (by_a ? pair.of_first : pair.of_second).push_back(o);
    pair.unexplained += errs(by_a ? b : a) ? 1 : 0;
  }
  if (pair.of_first.empty() || pair.of_second.empty()) return {};
  return pair;
}

// The pair that explains every result with the least beside it. Nothing if two pairs do so equally well.
std::optional<Pair> best_pair(const Comparison& all) {
  std::optional<Pair> best;
  bool only = true;
  for (std::size_t a = 0; a < all.mistakes(); ++a)
    for (std::size_t b = a + 1; b < all.mistakes(); ++b) {
      const auto pair = pair_of(all, a, b);
      if (!pair || (best && best->unexplained < pair->unexplained)) continue;
      only = !best || pair->unexplained < best->unexplained;
      best = pair;
    }
  return only ? best : std::nullopt;
}

std::string names_of(const std::vector<std::size_t>& outputs, const Result& result) {
  std::string names;
  for (const std::size_t o : outputs)  // without what stands in brackets behind a name
    names += (names.empty() ? "" : ", ") + result[o].name.substr(0, result[o].name.find(" ("));
  return names;
}

Verdict::KnownMistake both(const Part& part, const Pair& pair, const Result& result) {
  const Part::Known &a = part.mistakes[pair.first], &b = part.mistakes[pair.second];
  return {a.name + " + " + b.name,
          fmt::format("There are two mistakes. For {}: {} For {}: {}", names_of(pair.of_first, result),
                      a.sentence, names_of(pair.of_second, result), b.sentence),
          a.read};
}

// The wrong cells that a mistake explains and that are evidence.
Bits shown_by(const Comparison& all, std::size_t mistake) {
  Bits shown = all.evidence;
  for (std::size_t cell = 0; cell < shown.size(); ++cell)
    shown[cell] = shown[cell] && all.agrees[mistake][cell];
  return shown;
}

bool has_all_of(const Bits& large, const Bits& small) {
  for (std::size_t i = 0; i < small.size(); ++i)
    if (small[i] && !large[i]) return false;
  return true;
}

// Whether the mistake leaves right what is right, and explains half or more of what is wrong, on enough
// calls.
bool explains_half(const Comparison& all, std::size_t mistake, const Bits& shown) {
  std::size_t calls = 0;
  for (std::size_t c = 0; c < all.calls; ++c) {
    bool on_this = false;
    for (std::size_t o = 0; o < all.outputs; ++o) {
      if (all.right[all.cell(c, o)] && all.errs[mistake][all.cell(c, o)]) return false;
      on_this = on_this || shown[all.cell(c, o)];
    }
    calls += on_this ? 1 : 0;
  }
  return calls >= kFewestCalls && 2 * std::count(shown.begin(), shown.end(), true) >=
                                      std::count(all.evidence.begin(), all.evidence.end(), true);
}

// The mistake that explains more than every other, and enough.
std::optional<std::size_t> nearest(const Comparison& all) {
  for (std::size_t k = 0; k < all.mistakes(); ++k) {
    const Bits shown = shown_by(all, k);
    bool most = explains_half(all, k, shown);
    for (std::size_t other = 0; most && other < all.mistakes(); ++other) {
      if (other == k) continue;
      const Bits less = shown_by(all, other);
      most = has_all_of(shown, less) && less != shown;
    }
    if (most) return k;
  }
  return {};
}

}  // namespace

std::optional<Verdict::KnownMistake> known_mistake(const Part& part, const std::vector<Outcome>& found,
                                                   const Outcomes& known, std::size_t shown) {
  if (part.mistakes.empty()) return {};
  if (auto exact = exact_mistake(part, found, known)) return exact;
  if (part.seconds > 0) return {};
  const auto all = compared(part, found, known);
  if (!all) return on_the_call_shown(part, found, known, shown);
  const auto singles = singles_of(part);
  if (auto pair = best_pair(*all)) {
    pair->first = singles[pair->first], pair->second = singles[pair->second];
    return both(part, *pair, found[0].result);
  }
  if (auto k = nearest(*all)) {
    *k = singles[*k];
    return Verdict::KnownMistake{
        part.mistakes[*k].name + " + something else",
        "A part of your wrong numbers is that of a known mistake. The rest has another cause. The "
        "known one: " +
            part.mistakes[*k].sentence,
        part.mistakes[*k].read};
  }
  return on_the_call_shown(part, found, known, shown);
}

}  // namespace headlight::grader
