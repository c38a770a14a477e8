#include "run_certificate.h"

#include <algorithm>

namespace headlight::page {
namespace {

std::vector<std::size_t> numbers_of(const interpret::HeadSet& heads, const interpret::HeadSet& all) {
  std::vector<std::size_t> numbers;
  for (const interpret::HeadAt& head : heads)
    numbers.push_back(static_cast<std::size_t>(std::find(all.begin(), all.end(), head) - all.begin()));
  return numbers;
}

}  // namespace

PageCertificate page_certificate(const interpret::Certificate& c, const nn::TransformerConfig& config) {
  const interpret::HeadSet all = interpret::all_heads(config);
  PageCertificate page{interpret::to_string(c.verdict),
                       interpret::sentence(c),
                       c.accuracy,
                       numbers_of(c.induction_heads, all),
                       numbers_of(c.previous_token_heads, all),
                       numbers_of(c.helpers, all)};
  for (const interpret::Claim& claim : c.claims)
    page.claims.push_back({claim.key, claim.name, interpret::to_string(claim.standing), claim.number,
                           claim.control, claim.threshold, claim.control_limit, claim.number_at_most,
                           claim.control_at_most, claim.says, claim.more});
  for (const interpret::Formation& at : c.formation)
    page.formation.push_back({at.step, at.matching, at.previous, at.accuracy});
  for (const interpret::Needed& needed : c.needed)
    page.needed.push_back(
        {numbers_of({needed.head}, all).front(), needed.accuracy_without, needed.looks, needed.weight});
  page.tells_tokens = c.through != interpret::HeadInputs{interpret::HeadInput::queries};
  return page;
}

}  // namespace headlight::page
