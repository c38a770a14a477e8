#include <algorithm>
#include <optional>

#include "bytes.h"
#include "headlight/ranks/group.h"

namespace headlight::ranks {
namespace {

std::vector<Fact> facts_in(const std::string& bytes) {
  std::vector<Fact> facts;
  for (ByteReader in(bytes); !in.empty();) {
    const std::string name(in.text());
    facts.push_back({name, std::string(in.text())});
  }
  return facts;
}

std::string shown(const Fact& fact) { return fact.value.empty() ? "nothing" : fact.value; }

bool same(const Fact& a, const Fact& b) { return a.name == b.name && a.value == b.value; }

// A rank that has what most ranks have; nothing where no more than half agree.
std::optional<std::size_t> with_most(const std::vector<Fact>& of_ranks) {
  for (std::size_t i = 0; i < of_ranks.size(); ++i) {
    const auto count = std::count_if(of_ranks.begin(), of_ranks.end(),
                                     [&](const Fact& other) { return same(other, of_ranks[i]); });
    if (2 * static_cast<std::size_t>(count) > of_ranks.size()) return i;
  }
  return {};
}

}  // namespace

void Group::agree(const std::vector<Fact>& facts, const std::string& when) {
  ByteWriter out;
  for (const Fact& fact : facts) out.text(fact.name), out.text(fact.value);
  std::vector<std::vector<Fact>> all;
  std::size_t longest = 0;
  for (const std::string& bytes : gather(out.take(), "what it has " + when)) {
    all.push_back(facts_in(bytes));
    longest = std::max(longest, all.back().size());
  }
  for (std::size_t i = 0; i < longest; ++i) {
    std::vector<Fact> of_ranks;
    for (const auto& of_rank : all) of_ranks.push_back(i < of_rank.size() ? of_rank[i] : Fact{});
    const std::optional<std::size_t> most_have = with_most(of_ranks);
    const Fact& expected = of_ranks[most_have.value_or(0)];
    for (std::size_t r = 0; r < of_ranks.size(); ++r) {
      const Fact& found = of_ranks[r];
      if (same(found, expected)) continue;
      throw GroupError(
          fmt::format(
              "{} {} has {} {}, but {} {}. Hint: every rank needs the same command line, files and program.",
              when, name(r), found.name.empty() ? expected.name : found.name, shown(found),
              most_have ? "most ranks have" : name(0) + " has", shown(expected)),
          {});
    }
  }
}

}  // namespace headlight::ranks
