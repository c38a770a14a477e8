#include "headlight/report/page.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "headlight/core/check.h"
#include "headlight/report/color.h"
#include "web_files.h"

namespace headlight::report {
namespace {

using nlohmann::ordered_json;

// Whole, not rounded: the page rounds for the screen, and a number that is rounded twice may come out wrong.
double finite(double value) {
  check(std::isfinite(value), "[report] a figure is not finite.");
  return value;
}

ordered_json json_of(const PackedPatterns& p) {
  return {{"bits", p.bits()}, {"cell", p.cell()}, {"data", base64(p.bytes())}};
}

ordered_json json_of(const std::vector<interpret::HeadScores>& heads) {
  ordered_json list = ordered_json::array();
  for (const auto& h : heads) {
    ordered_json values = ordered_json::array();
    for (const auto& kind : interpret::score_kinds()) values.push_back(finite(h[kind.key]));
    list.push_back(std::move(values));
  }
  return list;
}

ordered_json json_of(const PageSequence& s) {
  ordered_json guesses = ordered_json::array();
  for (const auto& position : s.guesses) {
    ordered_json list = ordered_json::array();
    for (const Guess& g : position) list.push_back({g.token, finite(g.probability)});
    guesses.push_back(std::move(list));
  }
  return {{"label", s.label},
          {"tokens", s.tokens},
          {"targets", s.targets},
          {"predictable", std::vector<int>(s.predictable.begin(), s.predictable.end())},
          {"guesses", std::move(guesses)},
          {"patterns", json_of(s.patterns)}};
}

ordered_json json_of(const PageFigures& f) {
  return {{"step", f.step},
          {"accuracy", finite(f.accuracy_predictable)},
          {"loss_predictable", finite(f.loss_predictable)},
          {"loss_unpredictable", finite(f.loss_unpredictable)},
          {"scores", json_of(f.heads)}};
}

ordered_json json_of(const std::vector<std::pair<std::string, std::string>>& facts) {
  ordered_json list = ordered_json::array();
  for (const auto& [name, value] : facts) list.push_back({name, value});
  return list;
}

ordered_json json_of(const Page& page) {
  ordered_json json = {
      {"title", page.title},
      {"verdict", page.verdict},
      {"vocabulary", page.vocabulary},
      {"n_layers", page.n_layers},
      {"n_heads", page.n_heads},
      {"found", interpret::kFoundScore},
      {"scores", json_of(page.scores)},
      {"results", json_of(page.results)},
      {"settings", json_of(page.settings)},
      {"history", {{"steps", page.history.steps}, {"patterns", json_of(page.history.patterns)}}}};
  for (int i = 0; i < 8; ++i) json["heat"].push_back(hex(heat_color(i / 7.0)));
  json["sequences"] = json["figures"] = ordered_json::array();
  for (const auto& s : page.sequences) json["sequences"].push_back(json_of(s));
  for (const auto& f : page.figures) json["figures"].push_back(json_of(f));
  return json;
}

// JSON of ASCII characters only, in which no "<" can end the script element that holds it. Bytes that are no
// UTF-8 become replacement characters.
std::string embedded(const ordered_json& json) {
  std::string out;
  for (char c : json.dump(-1, ' ', true, ordered_json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

// The page's text with each {{name}} replaced. What is put in is not searched again.
std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string_view, std::string_view>>& slots) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t slot = std::min(text.find("{{", at), text.size());
    out += text.substr(at, slot - at);
    at = slot;
    if (slot == text.size()) break;
    const std::size_t end = text.find("}}", slot);
    const std::string_view name = text.substr(slot + 2, end - slot - 2);
    for (const auto& [known, value] : slots)
      if (known == name) out += value;
    at = end + 2;
  }
  return out;
}

}  // namespace

std::string base64(const std::string& bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= bytes.size() - i ? kDigits[three >> (18U - 6U * k) & 63U] : '=';
  }
  return out;
}

std::string report_page(const Page& page) {
  const std::string data = embedded(json_of(page));
  return filled(
      web::page,
      {{"style", web::style}, {"script", web::script}, {"script-hash", web::script_hash}, {"data", data}});
}

}  // namespace headlight::report
