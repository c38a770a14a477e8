#include "headlight/studies/certificate.h"

#include <fmt/core.h>

#include "headlight/draw/table.h"
#include "headlight/interpret/evidence.h"
#include "headlight/run/run.h"
#include "headlight/system/text.h"

namespace headlight::studies {
namespace {

using interpret::Claim;
using interpret::Standing;

std::string number_text(const Claim& claim, double value) {
  return claim.key == interpret::kOrder ? fmt::format("step {:.0f}", value) : fmt::format("{:.2f}", value);
}

std::string limit_text(const Claim& claim, double limit, bool at_most) {
  return (at_most ? "≤ " : "≥ ") + number_text(claim, limit);
}

std::string mark(Standing standing) {
  return standing == Standing::holds ? "✓ " : standing == Standing::fails ? "✗ " : "– ";
}

draw::Table claims_table(const interpret::Certificate& c) {
  draw::Table table{{"claim", "known", "number", "needed", "control", "allowed", "verdict"}, {}};
  for (const Claim& claim : c.claims) {
    const bool asked = claim.number.has_value(), controlled = claim.control.has_value();
    table.rows.push_back({claim.name,
                          asked ? interpret::to_string(interpret::evidence_kind(claim.key).how) : "-",
                          asked ? number_text(claim, *claim.number) : "-",
                          asked ? limit_text(claim, claim.threshold, claim.number_at_most) : "-",
                          controlled ? number_text(claim, *claim.control) : "-",
                          controlled ? limit_text(claim, claim.control_limit, claim.control_at_most) : "-",
                          mark(claim.standing) + interpret::to_string(claim.standing)});
  }
  return table;
}

// With how each part is known behind it: "… the same token before [seen], and find it by … [tried]."
std::string marked_sentence(const interpret::Certificate& c) {
  std::string text;
  for (const interpret::Said& part : interpret::said(c)) {
    const bool ends = part.text.ends_with('.');
    text += part.text.substr(0, part.text.size() - (ends ? 1 : 0)) +
            fmt::format(" [{}]{}", interpret::to_string(interpret::evidence_kind(part.kind).how),
                        ends ? "." : "");
  }
  return text;
}

}  // namespace

std::string certificate_table(const interpret::Certificate& c) {
  return fmt::format("Certificate: {}\n\n{}", interpret::to_string(c.verdict),
                     draw::terminal_table(claims_table(c)));
}

std::string certificate_text(const interpret::Certificate& c, std::size_t columns) {
  std::string text = certificate_table(c) + "\n";
  const auto add = [&](const std::string& paragraph, const std::string& indent) {
    for (const std::string& line : wrapped(paragraph, columns - indent.size())) text += indent + line + "\n";
  };
  for (const Claim& claim : c.claims) {
    text += claim.key + ":\n";
    add(claim.more.empty() ? claim.says : claim.says + " " + claim.more, "  ");
  }
  if (!c.needed.empty()) text += "\nA set of heads that is enough, found by adding one at a time:\n";
  for (const interpret::Needed& n : c.needed)
    add(fmt::format("{} looks {} (attention weight {:.2f}); without it the accuracy is {:.2f}.",
                    interpret::head_code(n.head), n.looks, n.weight, n.accuracy_without),
        "  ");
  if (const auto& d = c.shifted_induction) {
    text += "\nThe shifted induction circuit:\n";
    add(fmt::format("From a token that occurred before, the best of {} gives the token {} after the follower "
                    "an attention weight of {:.2f}; without repeats {:.2f}.",
                    interpret::codes_of(d->induction_heads), d->by, d->weight, d->control),
        "  ");
    const bool one = d->key_heads.size() == 1;
    add(fmt::format("When {} write{} to their keys what {} on other tokens, {} of this is lost.",
                    interpret::codes_of(d->key_heads), one ? "s" : "", one ? "it writes" : "they write",
                    d->lost_by_keys > 1 ? "all" : fmt::format("{:.0f} %", 100 * d->lost_by_keys)),
        "  ");
    add(fmt::format("When {} write{} so to their values, the accuracy is {:.2f} instead of {:.2f}.",
                    interpret::codes_of(d->value_heads), d->value_heads.size() == 1 ? "s" : "",
                    d->accuracy_without_values, c.accuracy),
        "  ");
  }
  text += "\n";
  add(marked_sentence(c), "");
  return text;
}

}  // namespace headlight::studies
