// What a certificate is called and says.
#include <fmt/core.h>

#include <algorithm>

#include "claim_words.h"
#include "headlight/interpret/certificate.h"
#include "headlight/interpret/evidence.h"

namespace headlight::interpret {
namespace {

std::vector<Said> shifted_words(const ShiftedInduction& found) {
  return {{"The model solves the task by shifted induction", "another way"},
          {fmt::format(": {} look{} {} place{} after what followed the same token before",
                       codes_of(found.induction_heads), found.induction_heads.size() == 1 ? "s" : "",
                       found.by, found.by == 1 ? "" : "s"),
           "shifted matching", fmt::format("{:.2f}, without repeats {:.2f}", found.weight, found.control)},
          {fmt::format(", {} carr{} that token there into the keys, and {} the answer into the values.",
                       codes_of(found.key_heads), found.key_heads.size() == 1 ? "ies" : "y",
                       codes_of(found.value_heads)),
           "shifted paths",
           fmt::format("{:.2f} of it lost by the keys, accuracy {:.2f} without the values",
                       found.lost_by_keys, found.accuracy_without_values)}};
}

// "L1H0, L1H3 and, weakly, L1H2"
std::string who_looks(const Certificate& c) {
  if (c.weak.empty() || c.weak.size() == c.induction_heads.size()) return codes_of(c.induction_heads);
  return fmt::format("{} and, weakly, {}", codes_of(without(c.induction_heads, c.weak)), codes_of(c.weak));
}

// "what L0H1 writes into their keys"
std::string what_tells(const Certificate& c) {
  if (c.by_smear) return "the smear of the keys";
  return fmt::format("what {} write{} into {}", codes_of(c.previous_token_heads),
                     c.previous_token_heads.size() == 1 ? "s" : "",
                     words_of(c.through, c.induction_heads.size() == 1 ? "its" : "their"));
}

bool of_one_distance(const Certificate& c) {
  return c.distances && c.distances->first == c.distances->second;
}

// Which other sets of heads suffice as well.
std::string other_sets(const Certificate& c) {
  if (!c.all_sets) return "";
  const AllSets& all = *c.all_sets;
  const std::string spared = fmt::format("{} sets suffice of which no head can be spared", all.minimal);
  if (all.smaller == 0)
    return all.minimal == 1
               ? " Every set of heads that suffices on these sequences has all of these."
               : fmt::format(" On these sequences no smaller set of heads does, but {}.", spared);
  const std::string smaller =
      all.smaller == 1
          ? fmt::format(" On these sequences one smaller set suffices too, {}", codes_of(all.smallest))
          : fmt::format(" On these sequences {} smaller sets suffice too, such as {}", all.smaller,
                        codes_of(all.smallest));
  if (all.minimal > 1) return fmt::format("{}; {}.", smaller, spared);
  return smaller + ", whose heads every set has that suffices.";  // the only minimal set is part of each
}

// The number of a claim and its control.
std::string numbers_of(const Certificate& c, const char* key) {
  for (const Claim& claim : c.claims)
    if (claim.key == key && claim.number)
      return fmt::format("{:.2f}", *claim.number) +
             (claim.control ? fmt::format(", control {:.2f}", *claim.control) : "");
  return "";
}

Said part_of(const Certificate& c, std::string text, const char* key) {
  return {std::move(text), key, numbers_of(c, key)};
}

// The heads that the task needs beside, other sets that do, and the previous-token heads where it does not
// need them.
void add_who_else(std::vector<Said>& parts, const Certificate& c) {
  std::string enough;
  if (c.whole)
    parts.push_back(
        {fmt::format(" {} all heads of the model, whose accuracy is {:.2f}.",
                     c.helpers.empty() ? "They are" : "Together with " + codes_of(c.helpers) + " they are",
                     c.accuracy),
         "accuracy"});
  else if (!c.helpers.empty())
    enough = fmt::format(" Together with {} they suffice for the task{}.", codes_of(c.helpers),
                         c.stand_ins.empty() ? "" : "; " + words_of(c.stand_ins));
  else if (c.all_sets)
    enough = " They suffice for the task.";
  if (!enough.empty()) parts.push_back(part_of(c, enough, kSufficiency));
  if (c.all_sets)
    parts.push_back(
        {other_sets(c), "other sets", fmt::format("{} of {} sets", c.all_sets->enough, c.all_sets->sets)});
  const auto& without_previous = c.accuracy_without_previous_token_heads;
  if (without_previous && *without_previous > c.claim(kNecessity).threshold)
    parts.push_back({fmt::format(" Without {} the accuracy is still {:.2f}.",
                                 codes_of(c.previous_token_heads), *without_previous),
                     kNecessity});
}

// "9 to 23"
std::string range_words(const std::pair<std::size_t, std::size_t>& range) {
  const auto& [least, most] = range;
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

void add_distances(std::vector<Said>& parts, const Certificate& c) {
  if (!c.distances || !c.accuracy_at_random) return;
  parts.push_back(
      {fmt::format(
           " In the sequences tested, the nearest copy that the answer follows stood {} tokens back; where "
           "segments come back at random distances{}, the accuracy is {:.2f}.",
           range_words(*c.distances), c.random_distances ? ", " + range_words(*c.random_distances) : "",
           *c.accuracy_at_random),
       "distances"});
}

std::vector<Said> another_way_words(const Certificate& c) {
  std::string failed, numbers;
  for (const Claim& claim : c.claims)
    if (claim.standing == Standing::fails) {
      failed += (failed.empty() ? "" : ", ") + claim.key;
      numbers += (numbers.empty() ? "" : "; ") + claim.key + " " + numbers_of(c, claim.key.c_str());
    }
  std::vector<Said> parts = {
      {fmt::format("The model solves the task another way than by an induction circuit: {} failed.", failed),
       verdict_kind(c), numbers}};
  const bool one = c.induction_heads.size() == 1;
  if (c.several_tokens)
    parts.push_back(part_of(
        c,
        fmt::format(" {} looks at what followed several of the same tokens before: after one of them alone "
                    "the attention weight there is {:.2f}.",
                    (one ? "" : "The best of ") + codes_of(c.induction_heads), *c.claim(kMatching).number),
        kMatching));
  if (c.claim(kMatching).standing != Standing::holds) return parts;
  parts.push_back(part_of(c,
                          fmt::format(" Still, {} look{} at what followed the same token before",
                                      codes_of(c.induction_heads), one ? "s" : ""),
                          kMatching));
  parts.push_back(
      part_of(c,
              fmt::format(": without {} the accuracy on {} tokens is {:.2f} instead of {:.2f}.",
                          one ? "it" : "them", c.predictable, *c.claim(kNecessity).number, c.accuracy),
              kNecessity));
  return parts;
}

}  // namespace

std::string to_string(Verdict verdict) {
  return verdict == Verdict::circuit       ? "induction circuit"
         : verdict == Verdict::another_way ? "solves the task another way"
                                           : "does not solve the task";
}

std::string to_string(Standing standing) {
  return standing == Standing::holds ? "holds" : standing == Standing::fails ? "fails" : "not asked";
}

std::string words_of(const HeadInputs& inputs, const char* whose) {
  std::string words;
  for (const HeadInput input : inputs)
    words += fmt::format("{}{} {}", words.empty() ? "" : " and ", whose,
                         head_inputs().entries().at(static_cast<std::size_t>(input)).name);
  return words;
}

std::string words_of(const std::vector<StandIn>& stand_ins) {
  std::vector<std::pair<HeadSet, HeadSet>> alike;  // heads that replace the same ones
  for (const StandIn& s : stand_ins) {
    const auto same =
        std::find_if(alike.begin(), alike.end(), [&](const auto& one) { return one.second == s.replaces; });
    if (same == alike.end())
      alike.push_back({{s.head}, s.replaces});
    else
      same->first.push_back(s.head);
  }
  std::string words;
  for (const auto& [heads, replaced] : alike)
    words += fmt::format("{}{} can{} replace {}{}", words.empty() ? "" : ", and ", codes_of(heads),
                         heads.size() == 1 ? "" : " each", replaced.size() == 1 ? "" : "one of ",
                         codes_of(replaced));
  return words;
}

const char* verdict_kind(const Certificate& c) {
  if (c.verdict == Verdict::circuit) return "circuit";
  if (c.verdict == Verdict::unsolved) return "accuracy";
  const bool tried =
      c.shifted_induction || std::any_of(c.claims.begin(), c.claims.end(), [](const Claim& claim) {
        return claim.standing == Standing::fails && evidence_kind(claim.key).how == Evidence::tried;
      });
  return tried ? "another way" : "no matching";
}

std::vector<Said> said(const Certificate& c) {
  if (c.verdict == Verdict::unsolved) return {{unsolved_words(c), "accuracy"}};
  if (c.shifted_induction) return shifted_words(*c.shifted_induction);
  if (c.verdict == Verdict::another_way) return another_way_words(c);
  const bool one = c.induction_heads.size() == 1;
  std::vector<Said> parts = {
      {fmt::format("The model has an induction circuit{}", of_one_distance(c) ? " of one distance" : ""),
       "circuit"},
      part_of(c,
              fmt::format(": {} look{} at what followed the same token before", who_looks(c), one ? "s" : ""),
              kMatching),
      part_of(c,
              fmt::format(", and find{} it by {}{}.", one ? "s" : "", what_tells(c),
                          c.through.size() > 1 ? "; one path can replace the other" : ""),
              kComposition)};
  add_who_else(parts, c);
  add_distances(parts, c);
  return parts;
}

std::string sentence(const Certificate& c) {
  std::string text;
  for (const Said& part : said(c)) text += part.text;
  return text;
}

}  // namespace headlight::interpret
