#include "certificate_json.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

using interpret::Certificate;
using interpret::Claim;
using interpret::HeadAt;
using interpret::HeadSet;

ordered_json head_json(const HeadAt& head) { return {{"layer", head.layer}, {"head", head.head}}; }
HeadAt head_from(const ordered_json& json) { return {json.at("layer"), json.at("head")}; }

ordered_json set_json(const HeadSet& heads) {
  ordered_json list = ordered_json::array();
  for (const HeadAt& head : heads) list.push_back(head_json(head));
  return list;
}

HeadSet set_from(const ordered_json& list) {
  HeadSet heads;
  for (const auto& json : list) heads.push_back(head_from(json));
  return heads;
}

// One of the first `count` values of an enumeration by its name.
template <class E>
E named(const std::string& name, int count) {
  for (int i = 0; i < count; ++i)
    if (interpret::to_string(static_cast<E>(i)) == name) return static_cast<E>(i);
  fail("'{}' is unknown here.", name);
}

ordered_json claim_json(const Claim& c) {
  return {{"key", c.key},
          {"name", c.name},
          {"standing", interpret::to_string(c.standing)},
          {"number", or_null(c.number, "number of a claim")},
          {"threshold", c.threshold},
          {"number_at_most", c.number_at_most},
          {"control", or_null(c.control, "control of a claim")},
          {"control_limit", c.control_limit},
          {"control_at_most", c.control_at_most},
          {"says", c.says}};
}

Claim claim_from(const ordered_json& json) {
  Claim c;
  c.key = json.at("key"), c.name = json.at("name"), c.says = json.at("says");
  c.standing = named<interpret::Standing>(json.at("standing"), 3);
  c.number = optional_of<double>(json.at("number"));
  c.control = optional_of<double>(json.at("control"));
  c.threshold = json.at("threshold"), c.control_limit = json.at("control_limit");
  c.number_at_most = json.at("number_at_most"), c.control_at_most = json.at("control_at_most");
  return c;
}

ordered_json displaced_json(const interpret::Displaced& d) {
  return {{"by", d.by},
          {"matchers", set_json(d.matchers)},
          {"key_senders", set_json(d.key_senders)},
          {"value_senders", set_json(d.value_senders)},
          {"weight", finite(d.weight, "weight")},
          {"control", finite(d.control, "control")},
          {"lost_by_keys", finite(d.lost_by_keys, "lost_by_keys")},
          {"accuracy_without_values", d.accuracy_without_values}};
}

interpret::Displaced displaced_from(const ordered_json& json) {
  interpret::Displaced d;
  d.by = json.at("by");
  d.matchers = set_from(json.at("matchers"));
  d.key_senders = set_from(json.at("key_senders"));
  d.value_senders = set_from(json.at("value_senders"));
  d.weight = json.at("weight"), d.control = json.at("control");
  d.lost_by_keys = json.at("lost_by_keys");
  d.accuracy_without_values = json.at("accuracy_without_values");
  return d;
}

}  // namespace

ordered_json certificate_json(const Certificate& c) {
  ordered_json json = {
      {"verdict", interpret::to_string(c.verdict)},
      {"accuracy", c.accuracy},
      {"accuracy_on", c.predictable},
      {"matchers", set_json(c.matchers)},
      {"senders", set_json(c.senders)},
      {"helpers", set_json(c.helpers)},
      {"through", interpret::head_inputs().entries().at(static_cast<std::size_t>(c.through)).name},
      {"by_smear", c.by_smear},
      {"by_keys", finite(c.by_keys, "by_keys")},
      {"by_queries", finite(c.by_queries, "by_queries")}};
  for (const char* list : {"claims", "formation", "needed"}) json[list] = ordered_json::array();
  for (const Claim& claim : c.claims) json["claims"].push_back(claim_json(claim));
  for (const interpret::Formation& f : c.formation)
    json["formation"].push_back({{"step", f.step},
                                 {"matching", finite(f.matching, "matching")},
                                 {"previous", finite(f.previous, "previous")},
                                 {"accuracy", f.accuracy}});
  if (c.displaced) json["displaced"] = displaced_json(*c.displaced);
  for (const interpret::Needed& n : c.needed) {
    ordered_json one = head_json(n.head);
    one.update({{"accuracy_without", n.accuracy_without},
                {"looks", n.looks},
                {"weight", finite(n.weight, "weight")}});
    json["needed"].push_back(std::move(one));
  }
  return json;
}

Certificate certificate_from(const ordered_json& json) {
  Certificate c;
  c.verdict = named<interpret::Verdict>(json.at("verdict"), 3);
  c.accuracy = json.at("accuracy");
  c.predictable = json.value("accuracy_on", c.predictable);
  c.matchers = set_from(json.at("matchers"));
  c.senders = set_from(json.at("senders"));
  c.helpers = set_from(json.at("helpers"));
  c.through = interpret::head_inputs().find(json.at("through").get<std::string>());
  c.by_smear = json.at("by_smear");
  c.by_keys = json.at("by_keys"), c.by_queries = json.at("by_queries");
  for (const auto& claim : json.at("claims")) c.claims.push_back(claim_from(claim));
  for (const auto& f : json.at("formation"))
    c.formation.push_back({f.at("step"), f.at("matching"), f.at("previous"), f.at("accuracy")});
  if (json.contains("displaced")) c.displaced = displaced_from(json.at("displaced"));
  for (const auto& n : json.at("needed"))
    c.needed.push_back({head_from(n), n.at("accuracy_without"), n.at("looks"), n.at("weight")});
  return c;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment
