#include "headlight/interpret/weights_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bounded_case.h"
#include "headlight/core/check.h"
#include "headlight/interpret/all_inputs.h"
#include "headlight/interpret/repeated_sequences.h"

namespace headlight::interpret {
namespace {

void check_two_heads(const nn::TransformerConfig& c) {
  check_boundable(c);
  const nn::Positions& kind = nn::positions().find(c.positions);
  check(c.n_layers == 2 && c.n_heads == 1 && c.norm == nn::NormKind::none && !c.bias &&
            kind.place == nn::Positions::Place::embedding,
        "[certify] a bound from the weights is for two layers with one head each, without norms, biases and "
        "positions in queries and keys; the model has {} layers, {} heads, norm {}, {} positions{}.",
        c.n_layers, c.n_heads, nn::to_string(c.norm), c.positions, c.bias ? " and biases" : "");
}

// What the cases of one A, one B and one place come to.
struct Found {
  std::vector<BoundLevel> levels;
  CaseBound first;  // of the case that fixes nothing else
};

class Search {
 public:
  Search(const TwoHeadTables& tables, const std::vector<std::size_t>& plain, std::size_t known)
      : tables_(tables), plain_(plain), most_known_(known) {}

  Found from(const InputCase& start) const {
    Found found;
    for (std::size_t known = 2; known <= most_known_; ++known) found.levels.push_back({known, 0, 0});
    found.first = look(start, found.levels);
    return found;
  }

 private:
  CaseBound look(const InputCase& c, std::vector<BoundLevel>& levels) const {
    BoundLevel& level = levels[c.known() - 2];
    const CaseBound bound = bound_case(tables_, plain_, c);
    ++level.cases;
    if (bound.margin > 0)
      level.proven += completions(c);
    else if (c.known() < most_known_)
      divide(c, levels);
    return bound;
  }

  // One more token is fixed: that of the free position nearest to B's, the later of two.
  void divide(const InputCase& c, std::vector<BoundLevel>& levels) const {
    std::size_t at = c.tokens.size(), distance = at;
    for (std::size_t p = 0; p < c.tokens.size(); ++p) {
      const std::size_t b = c.place + 1, far = p > b ? p - b : b - p;
      if (!c.tokens[p] && far <= distance) at = p, distance = far;
    }
    for (const std::size_t token : c.candidates(at, plain_)) {
      InputCase next = c;
      next.tokens[at] = token;
      look(next, levels);
    }
  }

  std::uint64_t completions(const InputCase& c) const {
    std::uint64_t count = 1;
    for (std::size_t known = c.known(); known < c.tokens.size(); ++known) count *= plain_.size() - known;
    return count;
  }

  const TwoHeadTables& tables_;
  const std::vector<std::size_t>& plain_;
  std::size_t most_known_;
};

std::vector<InputCase> starts(const std::vector<std::size_t>& plain, std::size_t length) {
  std::vector<InputCase> all;
  for (const std::size_t a : plain)
    for (const std::size_t b : plain)
      for (std::size_t place = 0; a != b && place + 2 < length; ++place) {
        InputCase start{std::vector<std::optional<std::size_t>>(length - 1), place};
        start.tokens[place] = a, start.tokens[place + 1] = b;
        all.push_back(start);
      }
  return all;
}

BoundTerm term(const std::vector<Found>& all, double CaseBound::*number) {
  BoundTerm t{std::numeric_limits<double>::infinity(), 0};
  for (const Found& found : all) {
    t.least = std::min(t.least, found.first.*number);
    t.mean += found.first.*number / static_cast<double>(all.size());
  }
  return t;
}

}  // namespace

std::uint64_t WeightsBound::proven() const {
  std::uint64_t sum = 0;
  for (const BoundLevel& level : levels) sum += level.proven;
  return sum;
}

double WeightsBound::accuracy() const { return static_cast<double>(proven()) / static_cast<double>(inputs); }

WeightsBound bound_from_weights(const nn::Transformer& model, const tasks::Task& task, std::size_t length,
                                std::size_t known, ThreadPool& pool) {
  check_two_heads(model.config());
  std::vector<std::size_t> plain;
  for (const std::int32_t token : plain_tokens(task)) plain.push_back(static_cast<std::size_t>(token));
  check_inputs(model.config(), plain.size(), length);
  check(known >= 2 && known < length, "[certify] expected 2 to {} known tokens of inputs of {}, got {}.",
        length - 1, length, known);
  const TwoHeadTables tables(model, length);
  const std::vector<InputCase> cases = starts(plain, length);
  std::vector<Found> found(cases.size());
  pool.run(cases.size(), [&](std::size_t i) { found[i] = Search(tables, plain, known).from(cases[i]); });
  WeightsBound bound;
  bound.length = length, bound.tokens = plain.size();
  bound.inputs = static_cast<std::uint64_t>(count_of_inputs(plain.size(), length));
  bound.levels = found[0].levels;
  for (std::size_t i = 1; i < found.size(); ++i)
    for (std::size_t l = 0; l < bound.levels.size(); ++l) {
      bound.levels[l].cases += found[i].levels[l].cases;
      bound.levels[l].proven += found[i].levels[l].proven;
    }
  bound.previous = term(found, &CaseBound::previous), bound.lead = term(found, &CaseBound::lead);
  bound.weight = term(found, &CaseBound::weight), bound.margin = term(found, &CaseBound::margin);
  return bound;
}

}  // namespace headlight::interpret
