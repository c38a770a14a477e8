#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "headlight/core/check.h"
#include "headlight/system/json.h"
#include "verdict/verdict.h"

namespace headlight::grader {
namespace {

using nlohmann::json;

Kind kind_of(const std::string& word) {
  for (const auto& [kind, each] : kind_names())
    if (each == word) return kind;
  fail("'{}' is no kind of verdict.", word);
}

std::optional<Kind> kind_or_none(const json& word) {
  return word.is_null() ? std::nullopt : std::optional(kind_of(word.get<std::string>()));
}

std::optional<std::size_t> place_or_none(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<std::size_t>());
}

// JSON has no word for numbers that are not finite.
json json_of(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

double number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string word = value.get<std::string>();
  return word == "inf" ? infinity : word == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

json json_of(const std::vector<Shown>& all) {
  json list = json::array();
  for (const Shown& one : all) {
    json numbers = json::array(), shape = json::array();
    for (const double number : one.numbers) numbers.push_back(json_of(number));
    for (const std::size_t length : one.shape) shape.push_back(length);
    list.push_back({{"name", one.name}, {"shape", shape}, {"numbers", numbers}});
  }
  return list;
}

std::vector<Shown> shown_of(const json& list) {
  std::vector<Shown> all;
  for (const json& each : list) {
    Shown one{each.at("name").get<std::string>(), {}, {}};
    for (const json& length : each.at("shape")) one.shape.push_back(length.get<std::size_t>());
    for (const json& number : each.at("numbers")) one.numbers.push_back(number_of(number));
    check(one.numbers.size() == size_of(one.shape), "'{}' of shape {} has {} numbers.", one.name, one.shape,
          one.numbers.size());
    all.push_back(std::move(one));
  }
  return all;
}

// That what a text says of a verdict can be shown: each number that it points to is there.
void check_places(const Verdict& verdict) {
  const bool has_part = verdict.part < verdict.parts.size() || verdict.kind == Kind::solved;
  check(has_part || verdict.parts.empty(), "part {} of {} is not solved.", verdict.part,
        verdict.parts.size());
  const auto& columns = verdict.kind == Kind::wrong_trial ? verdict.found : verdict.trials;
  check(columns.empty() || columns.size() == 3, "an experiment has {} columns.", columns.size());
  for (const Shown& column : columns)
    check(!column.numbers.empty() && column.numbers.size() == columns[0].numbers.size(),
          "the columns of an experiment differ in length.");
  if (!verdict.where || verdict.kind == Kind::wrong_shape) return;
  const auto [output, index] = *verdict.where;
  for (const auto* shown : {&verdict.expected, &verdict.found})
    check(output < shown->size() && index < (*shown)[output].numbers.size(),
          "number {} of output {} is not there.", index, output);
}

json json_of(const std::optional<Verdict::KnownMistake>& mistake) {
  if (!mistake) return nullptr;
  return {{"name", mistake->name}, {"sentence", mistake->sentence}, {"read", mistake->read}};
}

std::optional<Verdict::KnownMistake> mistake_of(const json& value) {
  if (value.is_null()) return std::nullopt;
  return Verdict::KnownMistake{value.at("name"), value.at("sentence"), value.at("read")};
}

Verdict verdict_of(const json& value) {
  Verdict verdict;
  verdict.lesson = value.at("lesson");
  for (const json& part : value.at("parts"))
    verdict.parts.push_back({part.at("name"), part.at("stars"), part.at("not_called"),
                             kind_or_none(part.at("kind")), mistake_of(part.at("mistake")),
                             place_or_none(part.at("after"))});
  verdict.kind = kind_of(value.at("kind"));
  verdict.part = value.at("part");
  verdict.call = value.at("call");
  verdict.inputs = shown_of(value.at("inputs"));
  verdict.expected = shown_of(value.at("expected"));
  verdict.found = shown_of(value.at("found"));
  verdict.trials = shown_of(value.at("trials"));
  if (const json& where = value.at("where"); !where.is_null())
    verdict.where = Verdict::Where{where.at("output"), where.at("index")};
  verdict.message = value.at("message");
  verdict.mistake = mistake_of(value.at("mistake"));
  verdict.example_only = value.at("example_only");
  verdict.line = value.at("line");
  verdict.thrown_at = value.at("thrown_at").get<std::vector<std::string>>();
  verdict.printed = value.at("printed");
  verdict.seconds = value.at("seconds");
  check_places(verdict);
  return verdict;
}

}  // namespace

std::string to_json(const Verdict& verdict) {
  json parts = json::array();
  for (const auto& part : verdict.parts)
    parts.push_back({{"name", part.name},
                     {"stars", part.stars},
                     {"not_called", part.not_called},
                     {"kind", part.kind ? json(word_of(*part.kind)) : json(nullptr)},
                     {"mistake", json_of(part.mistake)},
                     {"after", part.after ? json(*part.after) : json(nullptr)}});
  json value{{"lesson", verdict.lesson},
             {"parts", parts},
             {"kind", word_of(verdict.kind)},
             {"part", verdict.part},
             {"call", verdict.call},
             {"inputs", json_of(verdict.inputs)},
             {"expected", json_of(verdict.expected)},
             {"found", json_of(verdict.found)},
             {"trials", json_of(verdict.trials)},
             {"where", nullptr},
             {"message", verdict.message},
             {"mistake", json_of(verdict.mistake)},
             {"example_only", verdict.example_only},
             {"line", verdict.line},
             {"thrown_at", verdict.thrown_at},
             {"printed", verdict.printed},
             {"seconds", verdict.seconds}};
  if (verdict.where) value["where"] = {{"output", verdict.where->output}, {"index", verdict.where->index}};
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Verdict verdict_from_json(std::string_view text) {
  try {
    return verdict_of(json_from<json>(text));
  } catch (const std::exception& e) {  // of the text, or of what a verdict lacks
    fail("this is no verdict: {}", e.what());
  }
}

}  // namespace headlight::grader
