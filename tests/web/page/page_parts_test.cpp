// The page's certificate, and its predictions without heads, as they travel.
#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "page/compress.h"
#include "page/sample_page.h"

using namespace headlight;
using Catch::Matchers::WithinAbs;
using namespace headlight::page;

namespace {

unsigned byte_at(const std::string& bytes, std::size_t i) { return static_cast<unsigned char>(bytes.at(i)); }

PageCertificate sample_certificate() {
  PageCertificate c{"induction circuit", "L1H0 <looks>.", 0.5, {2}, {0, 1}, {}};
  c.claims.push_back(
      {"matching", "looks", "holds", 0.75, 0.25, 0.3, 0.125, false, true, "Seen & done.", "And <this>."});
  c.claims.push_back({"necessity", "needs", "fails", 0.9, {}, 0.25, 0.5, true, false, "Seen."});
  c.claims.push_back({"order", "began", "not asked", {}, {}, 0, 0, true, true, "Nothing was kept."});
  c.formation.push_back({10, 0.1, 0.2, 0.3});
  c.formation.push_back({20, 0.1, 0.2, 0.3, 0.05, 0.9, -0.5});
  c.needed.push_back({3, 0.4, "13 tokens back", 0.6});
  return c;
}

// Every set of the sample's 4 heads on its first sequence, with numbers that show their places.
PageWithout sample_without(const Page& page) {
  PageWithout without{4, {{"mean", "its mean"}}};
  SwitchedOff off;
  const std::size_t n = page.sequences[0].tokens.size();
  for (std::size_t i = 0; i < 16 * n; ++i) {
    off.tokens += static_cast<char>((i + i / n) % 16);
    off.likeliest += static_cast<char>(i % 251);
    off.targets += static_cast<char>(i % 253);
  }
  for (std::size_t s = 0; s < 16; ++s) off.losses.push_back(1.0 / (1 + static_cast<double>(s)));
  without.sequences = {{off}};
  return without;
}

}  // namespace

TEST_CASE("every set of heads stands at the number that its bits make", "[report][pagea]") {
  const auto all = switched_sets(3, 3);
  REQUIRE(all.size() == 8);
  CHECK(all[0].empty());
  CHECK(all[5] == std::vector<std::size_t>{0, 2});
  CHECK(all[7] == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("of many heads there are the single ones, then pairs", "[report][pagea]") {
  CHECK(switched_sets(5, 0) == std::vector<std::vector<std::size_t>>{{}});
  const auto singles = switched_sets(5, 1), pairs = switched_sets(5, 2);
  REQUIRE(singles.size() == 6);
  CHECK(singles[5] == std::vector<std::size_t>{4});
  REQUIRE(pairs.size() == 16);
  CHECK(pairs[6] == std::vector<std::size_t>{0, 1});
  CHECK(pairs[10] == std::vector<std::size_t>{1, 2});
  CHECK(pairs[15] == std::vector<std::size_t>{3, 4});
  CHECK(contains(error_of([] { (void)switched_sets(5, 3); }),
                 "expected sets of at most 1, 2 or all 5 heads, got 3."));
  CHECK(contains(error_of([] { (void)switched_sets(17, 17); }), "every set of 17 heads would be too many."));
}

TEST_CASE("predictions without heads are a token, two probabilities, and a loss", "[report][pagea]") {
  // Rows of logits whose softmax is known: (1/4, 3/4, 0 …), then (.52, .1, .38, 0 …).
  for (const std::size_t vocab : {3, 300}) {
    Array logits = full_array({1, 3, vocab}, -100);
    const double p[3][3] = {{.25, .75, 1e-30}, {.52, .1, .38}, {.2, .2, .6}};
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t v = 0; v < 3; ++v) logits(0, t, vocab - 3 + v) = static_cast<Real>(std::log(p[t][v]));
    const auto last = static_cast<std::int32_t>(vocab) - 1;
    SwitchedOff off;
    off.add(logits, {last - 2, last, tasks::kNoTarget}, {false, true, false});
    off.add(logits, {last - 2, last, tasks::kNoTarget}, {});
    const std::size_t wide = vocab > 256 ? 2 : 1;
    REQUIRE(off.tokens.size() == 6 * wide);
    for (std::size_t i = 0; i < 3; ++i) {
      const unsigned best = static_cast<unsigned>(vocab) - 3 + (i == 0 ? 1 : i == 1 ? 0 : 2);
      CHECK(byte_at(off.tokens, wide * i) + (wide == 2 ? 256 * byte_at(off.tokens, 2 * i + 1) : 0) == best);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const double best[3] = {.75, .52, .6}, target[3] = {.25, .38, 0};
      CHECK(byte_at(off.likeliest, i) == static_cast<unsigned>(std::lround(255 * best[i % 3])));
      CHECK(byte_at(off.targets, i) == static_cast<unsigned>(std::lround(255 * target[i % 3])));
    }
    REQUIRE(off.losses.size() == 2);
    const double tolerance = kDouble ? 1e-12 : 1e-5;
    CHECK_THAT(off.losses[0], WithinAbs(-std::log(.38), tolerance));
    CHECK_THAT(off.losses[1], WithinAbs(-(std::log(.38) + std::log(.25)) / 2, tolerance));
    SwitchedOff blind;
    blind.add(logits, {-1, -1, -1}, {});
    CHECK(blind.losses.empty());
    logits(0, 1, 0) = std::numeric_limits<Real>::quiet_NaN();
    CHECK(contains(error_of([&] { off.add(logits, {0, 0, 0}, {}); }), "are not finite"));
  }
}

TEST_CASE("the page carries its certificate, and nothing where there is none", "[report][pagea]") {
  Page page = sample_page();
  CHECK_FALSE(nlohmann::json::parse(page_data(page)).contains("certificate"));
  page.certificate = sample_certificate();
  const auto c = nlohmann::json::parse(page_data(page))["certificate"];
  CHECK(c["verdict"] == "induction circuit");
  CHECK(c["sentence"] == "L1H0 <looks>.");
  CHECK(c["induction_heads"] == nlohmann::json({2}));
  CHECK(c["previous_token_heads"] == nlohmann::json({0, 1}));
  CHECK(c["helpers"] == nlohmann::json::array());
  CHECK(c["tells_tokens"] == true);
  const auto& claims = c["claims"];
  CHECK(claims[0] == nlohmann::json{{"key", "matching"},
                                    {"name", "looks"},
                                    {"standing", "holds"},
                                    {"number", 0.75},
                                    {"threshold", 0.3},
                                    {"number_at_most", false},
                                    {"control", 0.25},
                                    {"control_limit", 0.125},
                                    {"control_at_most", true},
                                    {"says", "Seen & done."},
                                    {"more", "And <this>."}});
  CHECK(claims[1]["number_at_most"] == true);
  CHECK(claims[1]["control"].is_null());
  CHECK(claims[2]["number"].is_null());
  CHECK(c["formation"][0] ==
        nlohmann::json{{"step", 10}, {"matching", 0.1}, {"previous", 0.2}, {"accuracy", 0.3}});
  CHECK(c["formation"][1]["without"] == 0.05);
  CHECK(c["formation"][1]["alone"] == 0.9);
  CHECK(c["formation"][1]["copying"] == -0.5);
  CHECK(c["needed"][0] ==
        nlohmann::json{{"head", 3}, {"accuracy_without", 0.4}, {"looks", "13 tokens back"}, {"weight", 0.6}});
}

TEST_CASE("a certificate of other heads or without numbers is refused", "[report][pagea]") {
  Page page = sample_page();
  page.certificate = sample_certificate();
  page.certificate->previous_token_heads = {4};
  CHECK(contains(error_of([&] { page_data(page); }), "the certificate names head 4 of a model of 4 heads."));
  page.certificate = sample_certificate();
  page.certificate->needed[0].head = 9;
  CHECK(contains(error_of([&] { page_data(page); }), "the certificate names head 9 of a model of 4 heads."));
  page.certificate = sample_certificate();
  page.certificate->claims[0].control = std::nan("");
  CHECK(contains(error_of([&] { page_data(page); }), "a number of the certificate is not finite."));
}

TEST_CASE("the page carries predictions without heads", "[report][pagea]") {
  Page page = sample_page();
  CHECK_FALSE(nlohmann::json::parse(page_data(page)).contains("without"));
  page.without = sample_without(page);
  const auto without = nlohmann::json::parse(page_data(page))["without"];
  const SwitchedOff& off = page.without->sequences[0][0];
  CHECK(without["most"] == 4);
  CHECK(without["ways"] == nlohmann::json::parse(R"([["mean","its mean"]])"));
  const auto& first = without["sequences"][0][0];
  const std::vector<std::int32_t>& targets = page.sequences[0].targets;
  const std::size_t n = targets.size();
  std::string others = off.targets;  // without those that are the likeliest token
  for (std::size_t i = 0; i < others.size(); ++i)
    if (static_cast<std::int32_t>((i + i / n) % 16) == targets[i % n]) others[i] = 0;
  CHECK(others != off.targets);
  CHECK(first["tokens"] == nlohmann::json(compressed_json(off.tokens, 4 * n)));
  CHECK(first["likeliest"] == nlohmann::json(compressed_json(off.likeliest, 4 * n)));
  CHECK(first["targets"] == nlohmann::json(compressed_json(others, 4 * n)));
  CHECK(first["losses"][2] == 0.3333);
}

TEST_CASE("the page carries the accuracy at every period", "[report][pagea]") {
  Page page = sample_page();
  CHECK_FALSE(nlohmann::json::parse(page_data(page)).contains("periods"));
  page.periods = {{4, 0.5, false}, {5, 1, true}};
  CHECK(nlohmann::json::parse(page_data(page))["periods"] ==
        nlohmann::json::parse("[[4, 0.5, false], [5, 1.0, true]]"));
  page.periods[0].accuracy = std::nan("");
  CHECK(contains(error_of([&] { page_data(page); }), "a figure is not finite."));
}

TEST_CASE("predictions of other sets or sequences are refused", "[report][pagea]") {
  Page page = sample_page();
  const auto refused = [&](auto change) {
    page.without = sample_without(page);
    change(*page.without);
    return error_of([&] { page_data(page); });
  };
  const auto off = [](PageWithout& w) -> SwitchedOff& { return w.sequences[0][0]; };
  const std::string bytes = "expected 256 bytes of predictions without heads for the sequence";
  CHECK(contains(refused([&](auto& w) { off(w).tokens.pop_back(); }), bytes));
  CHECK(contains(refused([&](auto& w) { off(w).likeliest += 'x'; }), bytes));
  CHECK(contains(refused([&](auto& w) { off(w).targets.clear(); }), bytes));
  CHECK(contains(refused([&](auto& w) { off(w).losses.pop_back(); }), "expected 16 losses, got 15."));
  CHECK(contains(refused([&](auto& w) { w.ways.push_back({"zero", "zero"}); }), "expected 2 ways"));
  CHECK(
      contains(refused([&](auto& w) { w.sequences.resize(2); }), "2 sequences without heads on a page of 1"));
  page.without = sample_without(page);
  off(*page.without).losses.clear();  // of a sequence without targets
  CHECK_NOTHROW(page_data(page));
}
