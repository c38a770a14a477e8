#include "run_certificate.h"

#include "headlight/run/claim_json.h"
#include "run_terms.h"

namespace headlight::page {

using nlohmann::ordered_json;

ordered_json certificate_json(const interpret::Certificate& c, const nn::TransformerConfig& config,
                              ordered_json formation) {
  const auto numbers_of = [&](const interpret::HeadSet& heads) {
    ordered_json numbers = ordered_json::array();
    for (const interpret::HeadAt& head : heads) numbers.push_back(head_number(head, config));
    return numbers;
  };
  ordered_json claims = ordered_json::array(), needed = claims;
  for (const interpret::Claim& claim : c.claims) claims.push_back(run::claim_json(claim));
  for (const interpret::Needed& n : c.needed)
    needed.push_back({{"head", head_number(n.head, config)},
                      {"accuracy_without", n.accuracy_without},
                      {"looks", n.looks},
                      {"weight", n.weight}});
  ordered_json said = ordered_json::array();
  for (const interpret::Said& part : interpret::said(c))
    said.push_back({{"text", part.text}, {"kind", part.kind}, {"numbers", part.numbers}});
  return {{"verdict", interpret::to_string(c.verdict)},
          {"said", std::move(said)},
          {"accuracy", c.accuracy},
          {"induction_heads", numbers_of(c.induction_heads)},
          {"previous_token_heads", numbers_of(c.previous_token_heads)},
          {"helpers", numbers_of(c.helpers)},
          {"claims", std::move(claims)},
          {"formation", std::move(formation)},
          {"needed", std::move(needed)},
          // Heads that write into the queries only tell positions.
          {"tells_tokens", c.through != interpret::HeadInputs{interpret::HeadInput::queries}}};
}

}  // namespace headlight::page
