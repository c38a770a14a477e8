// The certificate and the controls as the terminal shows them.
#include <fmt/core.h>

#include "catch.h"
#include "headlight/run/config.h"
#include "headlight/studies/certificate.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

// Each number differs from every other.
Certificate filled_certificate() {
  Certificate c;
  c.verdict = Verdict::another_way;
  c.accuracy = 0.95, c.predictable = "copied";
  c.induction_heads = {{1, 0}}, c.previous_token_heads = {{0, 3}, {0, 2}};
  const auto add = [&](const char* key, Standing standing, const char* says) -> Claim& {
    Claim& claim = c.claims.emplace_back();
    claim.key = key, claim.name = std::string("the ") + key, claim.standing = standing, claim.says = says;
    return claim;
  };
  Claim& matching = add(kMatching, Standing::holds, "It looks.");
  matching.number = 0.91, matching.threshold = 0.32, matching.control = 0.03, matching.control_limit = 0.34;
  add(kComposition, Standing::not_asked, "Not asked.");
  Claim& necessity = add(kNecessity, Standing::fails, "It fails.");
  necessity.number = 0.87, necessity.threshold = 0.28, necessity.number_at_most = true;
  necessity.control = 0.46, necessity.control_limit = 0.55, necessity.control_at_most = false;
  Claim& order = add(kOrder, Standing::holds, "It came first.");
  order.number = 260, order.threshold = 300, order.number_at_most = true;
  return c;
}

// The cells of a line of a table: what stands two spaces apart.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find("  ", at), line.size());
    if (end > at) all.push_back(line.substr(at, end - at));
    at = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return all;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("the text of a certificate has its table, its claims, what was needed, and the sentence",
          "[studies][certificate]") {
  Certificate c = filled_certificate();
  c.needed = {{{0, 2}, 0.61, "at itself", 0.73}, {{1, 0}, 0.12, "13 tokens back", 0.94}};
  const std::string text = studies::certificate_text(c, 500);
  CHECK(text == R"(Certificate: solves the task another way

claim            known  number    needed      control  allowed  verdict
the matching     seen   0.91      ≥ 0.32         0.03  ≤ 0.34   ✓ holds
the composition  -      -         -                 -  -        – not asked
the necessity    tried  0.87      ≤ 0.28         0.46  ≥ 0.55   ✗ fails
the order        seen   step 260  ≤ step 300        -  -        ✓ holds

matching:
  It looks.
composition:
  Not asked.
necessity:
  It fails.
order:
  It came first.

A set of heads that is enough, found by adding one at a time:
  L0H2 looks at itself (attention weight 0.73); without it the accuracy is 0.61.
  L1H0 looks 13 tokens back (attention weight 0.94); without it the accuracy is 0.12.

The model solves the task another way than by an induction circuit: necessity failed [tried]. Still, L1H0 looks at what followed the same token before [seen]: without it the accuracy on copied tokens is 0.87 instead of 0.95 [tried].
)");
}

TEST_CASE("the text of shifted induction by several key heads and one value head", "[studies][certificate]") {
  Certificate c;
  c.verdict = Verdict::another_way;
  c.accuracy = 0.95;
  c.shifted_induction = ShiftedInduction{1, {{1, 2}}, {{0, 1}, {0, 3}}, {{0, 2}}, 0.71, 0.12, 0.83, 0.04};
  const std::string text = studies::certificate_text(c, 500);
  CHECK(text.substr(text.find("\nThe shifted")) == R"(
The shifted induction circuit:
  From a token that occurred before, the best of L1H2 gives the token 1 after the follower an attention weight of 0.71; without repeats 0.12.
  When L0H1, L0H3 write to their keys what they write on other tokens, 83 % of this is lost.
  When L0H2 writes so to their values, the accuracy is 0.04 instead of 0.95.

The model solves the task by shifted induction [tried]: L1H2 looks 1 place after what followed the same token before [seen], L0H1, L0H3 carry that token there into the keys, and L0H2 the answer into the values [tried].
)");
  for (const std::string& line : text_lines(studies::certificate_text(c, 60)))
    CHECK((display_width(line) <= 60 || line.starts_with("claim ")));
  c.shifted_induction->lost_by_keys = 1.07;  // it looks there less than without repeats
  CHECK(contains(studies::certificate_text(c, 500), "on other tokens, all of this is lost."));
}

TEST_CASE("a row for a control has its verdict, each claim's number, and its heads",
          "[studies][certificate]") {
  const studies::Control control{"a name", "what it is", kNecessity, Verdict::another_way, {}};
  Certificate c = filled_certificate();
  CHECK(studies::control_row(control, c) == Words{"a name", "solves the task another way", "✓ 0.91", "–",
                                                  "✗ 0.87", "✓ 260 ≤ 300", "L1H0 ← L0H3, L0H2"});
  CHECK(studies::control_head() == Words{"model", "verdict", kMatching, kCopying, kComposition, kNecessity,
                                         kSufficiency, kOrder, "circuit"});
  CHECK(studies::as_known(control, c));
  c.claims[0].standing = Standing::fails;
  CHECK_FALSE(studies::as_known(control, c));  // another claim fails too
  c = filled_certificate();
  c.claims[2].standing = Standing::holds;
  CHECK_FALSE(studies::as_known(control, c));
  c = filled_certificate();
  c.verdict = Verdict::circuit;
  CHECK_FALSE(studies::as_known(control, c));
  const studies::Control any{"a name", "what it is", "", Verdict::circuit, {}};
  CHECK(studies::as_known(any, c));  // whatever fails
}

TEST_CASE("the controls are those of docs/induction.md, with the verdicts that are known there",
          "[studies][certificate]") {
  std::vector<studies::Control> controls = studies::controls_by_hand();
  for (studies::Control& control : studies::trained_controls()) controls.push_back(std::move(control));
  const std::string page = read_file(HEADLIGHT_SOURCE_DIR "/docs/induction.md");
  std::vector<Words> rows;
  for (const std::string& line : text_lines(page.substr(page.find("\nmodel  "), 5000)))
    if (const Words row = cells(line); row.size() == 9 && row[0] != "model") rows.push_back(row);
  REQUIRE(rows.size() == controls.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i][0] == controls[i].name);
    CHECK(rows[i][1] == to_string(controls[i].verdict));
    for (std::size_t k = 2; k < 8 && !controls[i].fails.empty(); ++k)
      CHECK(rows[i][k].starts_with("✗") == (studies::control_head()[k] == controls[i].fails));
  }
}

TEST_CASE("the controls that are trained differ from the demo by what their names say",
          "[studies][certificate]") {
  Words changed;
  for (const studies::Control& control : studies::trained_controls()) {
    REQUIRE(control.config);
    std::string settings;
    for (const run::NamedSetting& setting : run::changed_settings(*control.config))
      settings += fmt::format(" {}={}", setting.row->key, to_string(setting.row->get(*control.config)));
    changed.push_back(control.name + ":" + settings);
  }
  CHECK(changed == Words{"demo, seed 0:", "demo, seed 1: seed=1", "demo, seed 2: seed=2",
                         "learned positions: n_heads=2 positions=learned", "MLPs: d_mlp=256",
                         "four layers: n_layers=4", "learning rate 0.02: learning_rate=0.02 seed=1",
                         "one layer, smeared keys: n_layers=1 smeared_keys=true steps=2000",
                         "one layer: n_layers=1", "copy: name=copy steps=2000",
                         "fixed offset: name=copy fixed_offset=true steps=1000",
                         "warm-up of 50: learning_rate=0.01 warmup=50 seed=6",
                         "relative positions: n_heads=2 positions=relative learning_rate=0.01"});
  CHECK(studies::demo_controls(5).back().name == "demo, seed 4");
}
