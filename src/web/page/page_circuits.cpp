#include "headlight/page/page_circuits.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/page/page.h"
#include "headlight/system/base64.h"
#include "headlight/system/json_output.h"
#include "page_circuits_json.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

constexpr double kLevels = 32767;

ordered_json packed_json(const PackedNumbers& x) {
  if (x.empty()) return {};
  return {{"shape", std::vector<std::size_t>(x.shape().begin(), x.shape().end())},
          {"steps", x.steps()},
          {"data", base64(x.bytes())}};
}

ordered_json parts_json(const std::vector<PagePart>& parts) {
  ordered_json list = ordered_json::array();
  for (const PagePart& part : parts) list.push_back({part.kind, part.index});
  return list;
}

void check_factors(const PackedNumbers& x, std::size_t parts, std::size_t n) {
  check(x.shape().size() == 3 && x.shape()[0] == parts && x.shape()[1] == n,
        "[report] expected factors ({},{},…) of a sequence taken apart, got {}.", parts, n, x.shape());
}

ordered_json scores_json(const PageScores& s, std::size_t n) {
  check_factors(s.q, s.parts.size(), n);
  check_factors(s.k, s.parts.size(), n);
  ordered_json json = {{"parts", parts_json(s.parts)}, {"q", packed_json(s.q)}, {"k", packed_json(s.k)}};
  if (!s.bias.empty()) json["bias"] = packed_json(s.bias);
  if (s.cap != 0) json["cap"] = s.cap;
  if (s.sink) json["sink"] = *s.sink;
  if (s.window != 0) json["window"] = s.window;
  return json;
}

ordered_json head_json(const PageHeadCircuit& head) {
  ordered_json json = {{"eigen", or_null(head.eigen)}};
  if (!head.ov_left.empty()) json["ov"] = {packed_json(head.ov_left), packed_json(head.ov_right)};
  if (!head.qk_left.empty()) json["qk"] = {packed_json(head.qk_left), packed_json(head.qk_right)};
  if (!head.positions_left.empty())
    json["positions"] = {packed_json(head.positions_left), packed_json(head.positions_right)};
  if (head.through) json["through"] = {{"head", *head.through}, {"right", packed_json(head.through_right)}};
  return json;
}

}  // namespace

PackedNumbers::PackedNumbers(const Array& x, std::size_t blocks)
    : shape_(x.shape().begin(), x.shape().end()) {
  check(blocks > 0 && x.size() % blocks == 0, "[packed numbers] expected a multiple of {} numbers, got {}.",
        blocks, x.size());
  const std::size_t size = x.size() / blocks;
  bytes_.reserve(2 * x.size());
  for (const Real* block = x.data(); block != x.data() + x.size(); block += size) {
    double largest = 0;
    for (const Real* p = block; p != block + size; ++p) {
      check(std::isfinite(*p), "[packed numbers] a number is not finite.");
      largest = std::max(largest, std::abs(static_cast<double>(*p)));
    }
    const double step = steps_.emplace_back(largest / kLevels);
    for (const Real* p = block; p != block + size; ++p) {
      const long level = step == 0 ? 0 : std::lround(static_cast<double>(*p) / step);
      const auto bits = static_cast<std::uint16_t>(static_cast<std::int16_t>(level));
      bytes_ += static_cast<char>(bits & 0xffU);
      bytes_ += static_cast<char>(bits >> 8U);
    }
  }
}

ordered_json terms_json(const PageTerms& terms, std::size_t n) {
  ordered_json heads = ordered_json::array();
  for (const PageScores& s : terms.heads) heads.push_back(scores_json(s, n));
  check_factors(terms.contributions, terms.parts.size(), n);
  return {
      {"heads", std::move(heads)},
      {"logits", {{"parts", parts_json(terms.parts)}, {"contributions", packed_json(terms.contributions)}}}};
}

ordered_json circuits_json(const PageCircuits& circuits) {
  ordered_json heads = ordered_json::array(), edges = ordered_json::array();
  for (const PageHeadCircuit& head : circuits.heads) heads.push_back(head_json(head));
  for (const PageEdge& e : circuits.edges) edges.push_back({e.from, e.to, e.ratio, e.baseline});
  return {{"turn", circuits.turn},
          {"heads", std::move(heads)},
          {"edges", std::move(edges)},
          {"no_terms", circuits.no_terms},
          {"no_matrices", circuits.no_matrices}};
}

}  // namespace headlight::page
