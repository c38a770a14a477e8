// What a certificate is called and says.
#include <fmt/core.h>

#include "headlight/interpret/certificate.h"

namespace headlight::interpret {
namespace {

std::string displaced_sentence(const Displaced& d) {
  return fmt::format(
      "The model solves the task by an induction circuit that is displaced: {} look{} {} place{} after what "
      "followed "
      "the same token before, {} carr{} that token there into the keys, and {} the answer into the values.",
      codes_of(d.matchers), d.matchers.size() == 1 ? "s" : "", d.by, d.by == 1 ? "" : "s",
      codes_of(d.key_senders), d.key_senders.size() == 1 ? "ies" : "y", codes_of(d.value_senders));
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

std::string sentence(const Certificate& c) {
  if (c.verdict == Verdict::unsolved)
    return fmt::format("The model does not solve the task: its accuracy on {} tokens is {:.2f}.",
                       c.predictable, c.accuracy);
  if (c.displaced) return displaced_sentence(*c.displaced);
  if (c.verdict == Verdict::another_way) {
    std::string failed;
    for (const Claim& claim : c.claims)
      if (claim.standing == Standing::fails) failed += (failed.empty() ? "" : ", ") + claim.key;
    return fmt::format("The model solves the task another way than by an induction circuit: {} failed.",
                       failed);
  }
  const std::string told = c.by_smear ? "the smear of its keys" : codes_of(c.senders);
  return fmt::format(
      "The model has an induction circuit: {} look{} at what followed the same token before, and {} tell{} "
      "where that is, through {}.",
      codes_of(c.matchers), c.matchers.size() == 1 ? "s" : "", told,
      c.by_smear || c.senders.size() == 1 ? "s" : "",
      c.through == HeadInput::keys ? "the keys" : "the queries");
}

}  // namespace headlight::interpret
