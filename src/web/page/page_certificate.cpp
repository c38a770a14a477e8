#include "headlight/page/page_certificate.h"

#include <cmath>

#include "headlight/core/check.h"
#include "headlight/system/text.h"
#include "page_parts.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

double certified(double value) {
  check(std::isfinite(value), "[report] a number of the certificate is not finite.");
  return value;
}

ordered_json certified_or_null(const std::optional<double>& value) {
  return value ? ordered_json(certified(*value)) : ordered_json();
}

ordered_json claim_json(const PageClaim& claim) {
  return {{"key", claim.key},
          {"name", printable(claim.name)},
          {"standing", claim.standing},
          {"number", certified_or_null(claim.number)},
          {"threshold", certified(claim.threshold)},
          {"number_at_most", claim.number_at_most},
          {"control", certified_or_null(claim.control)},
          {"control_limit", certified(claim.control_limit)},
          {"control_at_most", claim.control_at_most},
          {"says", printable(claim.says)},
          {"more", printable(claim.more)}};
}

}  // namespace

ordered_json certificate_json(const PageCertificate& c, std::size_t heads) {
  const auto known = [heads](std::size_t head) {
    check(head < heads, "[report] the certificate names head {} of a model of {} heads.", head, heads);
    return head;
  };
  for (const auto* named : {&c.induction_heads, &c.previous_token_heads, &c.helpers})
    for (const std::size_t head : *named) known(head);
  ordered_json claims = ordered_json::array(), formation = claims, needed = claims;
  for (const PageClaim& claim : c.claims) claims.push_back(claim_json(claim));
  for (const PageFormation& at : c.formation) {
    formation.push_back({{"step", at.step},
                         {"matching", certified(at.matching)},
                         {"previous", certified(at.previous)},
                         {"accuracy", certified(at.accuracy)}});
    if (at.without) formation.back()["without"] = certified(*at.without);
    if (at.alone) formation.back()["alone"] = certified(*at.alone);
    if (at.copying) formation.back()["copying"] = certified(*at.copying);
  }
  for (const PageNeeded& n : c.needed)
    needed.push_back({{"head", known(n.head)},
                      {"accuracy_without", certified(n.accuracy_without)},
                      {"looks", printable(n.looks)},
                      {"weight", certified(n.weight)}});
  return {{"verdict", printable(c.verdict)},
          {"sentence", printable(c.sentence)},
          {"accuracy", certified(c.accuracy)},
          {"induction_heads", c.induction_heads},
          {"previous_token_heads", c.previous_token_heads},
          {"helpers", c.helpers},
          {"claims", claims},
          {"formation", formation},
          {"needed", needed},
          {"tells_tokens", c.tells_tokens}};
}

}  // namespace headlight::page
