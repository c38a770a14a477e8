// Factors on the page: how numbers travel, and what is refused.
#include "headlight/page/page_circuits.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/core/rng.h"
#include "page/sample_page.h"

using namespace headlight;
using namespace headlight::page;

namespace {

double unpacked(const PackedNumbers& x, std::size_t i) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(x.bytes().at(at)); };
  const int bits = byte(2 * i) + 256 * byte(2 * i + 1), level = bits < 32768 ? bits : bits - 65536;
  const std::size_t block = x.bytes().size() / 2 / x.steps().size();
  return level * x.steps()[i / block];
}

// The sample page with a model of one part, so that all its factors are known.
Page page_with_terms() {
  Page page = sample_page({"a", "b", "c"});
  const PackedNumbers x(full_array({1, 3, 2}, 1));
  for (std::size_t head = 0; head < 4; ++head) page.sequences[0].terms.heads.push_back({{{"embed"}}, x, x});
  page.sequences[0].terms.parts = {{"embed"}};
  page.sequences[0].terms.contributions = x;
  page.circuits.heads.resize(4);
  page.circuits.edges = {{0, 2, {.5, .25, 1}, {.125, .25, .375}}};
  return page;
}

}  // namespace

TEST_CASE("packed numbers are wrong by at most half a step of their block", "[page_circuits]") {
  Rng rng(4);
  Array x = rng.uniform_array({3, 4, 5});
  for (std::size_t i = 0; i < 60; ++i)
    x.data()[i] = (x.data()[i] - Real{0.5}) * (i < 20 ? Real{2000} : i < 40 ? Real{1} : Real{0});
  const PackedNumbers packed(x, 3);
  REQUIRE(packed.steps().size() == 3);
  CHECK(packed.shape() == Shape{3, 4, 5});
  CHECK(packed.steps()[2] == 0);
  for (std::size_t block = 0; block < 3; ++block) {
    double largest = 0;
    for (std::size_t i = 20 * block; i < 20 * (block + 1); ++i) {
      const auto value = static_cast<double>(x.data()[i]);
      largest = std::max(largest, std::abs(value));
      CHECK(std::abs(unpacked(packed, i) - value) <= packed.steps()[block] / 2 * (1 + 1e-9));
    }
    CHECK(packed.steps()[block] == Approx(largest / 32767));
  }
}

TEST_CASE("packed numbers reach both ends of their range", "[page_circuits]") {
  const PackedNumbers packed(tensor({{-2, 2, 0, 1}}).array());
  const auto bytes = [](std::initializer_list<int> all) { return std::string(all.begin(), all.end()); };
  CHECK(packed.bytes() == bytes({0x01, 0x80, 0xff, 0x7f, 0x00, 0x00, 0x00, 0x40}));
}

TEST_CASE("numbers that cannot be packed are refused", "[page_circuits]") {
  CHECK(contains(error_of([] { PackedNumbers(zeros({5}).array(), 2); }), "a multiple of 2 numbers, got 5"));
  CHECK(contains(error_of([] { PackedNumbers(tensor({{1, 0}}).array() / Real{0}); }), "is not finite"));
}

TEST_CASE("the page has the terms of its sequences and the edges of its heads", "[page_circuits]") {
  const auto data = nlohmann::json::parse(page_data(page_with_terms()));
  const auto& terms = data["sequences"][0]["terms"];
  CHECK(terms["heads"].size() == 4);
  CHECK(terms["heads"][0]["parts"] == nlohmann::json::parse(R"([["embed", 0]])"));
  CHECK(terms["heads"][0]["q"]["shape"] == nlohmann::json::parse("[1, 3, 2]"));
  CHECK_FALSE(terms["heads"][0].contains("bias"));
  CHECK(terms["logits"]["contributions"]["steps"].size() == 1);
  CHECK(data["circuits"]["edges"] ==
        nlohmann::json::parse("[[0, 2, [0.5, 0.25, 1.0], [0.125, 0.25, 0.375]]]"));
  CHECK(data["circuits"]["heads"][0]["eigen"].is_null());
  CHECK_FALSE(nlohmann::json::parse(page_data(sample_page())).contains("circuits"));
}

TEST_CASE("terms of another sequence or another number of parts are refused", "[page_circuits]") {
  Page page = page_with_terms();
  page.sequences[0].terms.heads[2].k = PackedNumbers(full_array({1, 4, 2}, 1));
  CHECK(contains(error_of([&] { page_data(page); }), "expected factors (1,3,…)"));
  page = page_with_terms();
  page.sequences[0].terms.parts.push_back({"bias"});
  CHECK(contains(error_of([&] { page_data(page); }), "expected factors (2,3,…)"));
}
