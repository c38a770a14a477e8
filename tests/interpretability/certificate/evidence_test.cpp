// No sentence stands above its evidence.
#include "headlight/interpret/evidence.h"

#include <regex>

#include "catch.h"
#include "headlight/interpret/certificate.h"
#include "headlight/studies/certificate.h"
#include "headlight/system/files.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

// Words that say what would be without something, or what comes from what: only an intervention shows it.
bool is_causal(const std::string& text) {
  static const std::regex causal(
      "has an induction circuit|by shifted|suffice|[Ww]ithout (L|it|them)|by what L|by the smear|carr(y|ies)|enough|need|because");
  return std::regex_search(text, causal);
}

// What a part of a certificate's sentences rests on was measured.
void check_part(const Certificate& c, const Said& part) {
  INFO(part.text);
  const EvidenceKind& kind = evidence_kind(part.kind);
  if (kind.how == Evidence::seen) CHECK(!is_causal(part.text));
  for (const char* key : {kMatching, kCopying, kComposition, kNecessity, kSufficiency})
    if (part.kind == key && !c.claims.empty()) CHECK(c.claim(key).number.has_value());
  if (part.kind == "other sets") CHECK(c.all_sets.has_value());
  if (part.kind == "distances") CHECK(c.accuracy_at_random.has_value());
  if (part.kind.starts_with("shifted")) CHECK(c.shifted_induction.has_value());
  if (part.kind == "another way")
    CHECK((c.shifted_induction || std::any_of(c.claims.begin(), c.claims.end(), [](const Claim& claim) {
             return claim.standing == Standing::fails && evidence_kind(claim.key).how == Evidence::tried;
           })));
}

void check_certificate(const Certificate& c) {
  std::string text;
  for (const Said& part : said(c)) {
    check_part(c, part);
    text += part.text;
  }
  CHECK(text == sentence(c));
  for (const Claim& claim : c.claims) {
    INFO(claim.key << ": " << claim.says);
    const bool seen = evidence_kind(claim.key).how == Evidence::seen;
    if (seen && claim.standing != Standing::not_asked) CHECK(!is_causal(claim.says));
  }
}

}  // namespace

TEST_CASE("no sentence of a certificate stands above its evidence", "[interpret][certificate][evidence]") {
  ThreadPool pool(2);
  for (const studies::Control& control : studies::controls_by_hand()) {
    INFO(control.name);
    check_certificate(control.certify(pool));
  }
  Certificate c;
  c.accuracy = 0.1;
  check_certificate(c);
  c.accuracy = 0.95, c.verdict = Verdict::another_way;
  c.shifted_induction = ShiftedInduction{4, {{1, 0}}, {{0, 1}}, {{0, 0}}, 0.9, 0.1, 0.9, 0.1};
  check_certificate(c);
}

TEST_CASE("the table of evidence is the one in the documentation", "[interpret][evidence]") {
  CHECK(contains(read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/docs/evidence.md"), evidence_table()));
  CHECK(evidence_kind("all inputs").how == Evidence::proved);
  CHECK(std::string(to_string(Evidence::tried)) == "tried");
  CHECK(error_of([] { evidence_kind("compositon"); }) ==
        "there is no kind of sentence 'compositon'. Did you mean 'composition'?");
}
