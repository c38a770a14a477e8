#include "certificate_json.h"

#include "headlight/run/claim_json.h"
#include "headlight/run/results.h"

namespace headlight::run {
namespace {

using interpret::Certificate;
using interpret::Claim;
using interpret::HeadAt;
using interpret::HeadSet;

ordered_json head_json(const HeadAt& head) { return {{"layer", head.layer}, {"head", head.head}}; }
HeadAt head_from(const Fields& fields) { return {fields.index("layer"), fields.index("head")}; }

ordered_json set_json(const HeadSet& heads) {
  ordered_json list = ordered_json::array();
  for (const HeadAt& head : heads) list.push_back(head_json(head));
  return list;
}

HeadSet set_from(const std::vector<Fields>& list) {
  HeadSet heads;
  for (const Fields& fields : list) heads.push_back(head_from(fields));
  return heads;
}

// One of the first `count` values of an enumeration by its name.
template <class E>
E named(const std::string& name, int count) {
  for (int i = 0; i < count; ++i)
    if (interpret::to_string(static_cast<E>(i)) == name) return static_cast<E>(i);
  fail("'{}' is unknown here", name);
}

Claim claim_from(const Fields& fields) {
  Claim c;
  c.key = fields.text("key"), c.name = fields.text("name"), c.says = fields.text("says");
  if (fields.has("more")) c.more = fields.text("more");
  c.standing = named<interpret::Standing>(fields.text("standing"), 3);
  c.number = fields.maybe(&Fields::number, "number");
  c.control = fields.maybe(&Fields::number, "control");
  c.threshold = fields.number("threshold"), c.control_limit = fields.number("control_limit");
  c.number_at_most = fields.flag("number_at_most"), c.control_at_most = fields.flag("control_at_most");
  check(c.standing == interpret::Standing::not_asked || (c.number && c.standing == interpret::standing_of(c)),
        "the claim '{}' does not stand as its numbers say", c.key);
  return c;
}

const std::vector<std::pair<std::string, interpret::HeadInputs>>& ways() {
  using interpret::HeadInput;
  static const std::vector<std::pair<std::string, interpret::HeadInputs>> all = {
      {"keys", {HeadInput::keys}},
      {"queries", {HeadInput::queries}},
      {"keys and queries", {HeadInput::keys, HeadInput::queries}}};
  return all;
}

std::string name_of(const interpret::HeadInputs& inputs) {
  for (const auto& [name, way] : ways())
    if (way == inputs) return name;
  fail("no circuit runs through {}", interpret::words_of(inputs));
}

interpret::HeadInputs inputs_named(const std::string& text) {
  for (const auto& [name, way] : ways())
    if (name == text) return way;
  fail("'{}' is unknown here", text);
}

// The keys keep the names of earlier versions, so that runs which they saved can be read:
// "matchers" are induction heads, "senders" previous-token heads, "key_senders" and "value_senders" the heads
// that write into keys and values, and "displaced" is shifted induction.
ordered_json shifted_induction_json(const interpret::ShiftedInduction& d) {
  return {{"by", d.by},
          {"matchers", set_json(d.induction_heads)},
          {"key_senders", set_json(d.key_heads)},
          {"value_senders", set_json(d.value_heads)},
          {"weight", finite(d.weight, "weight")},
          {"control", finite(d.control, "control")},
          {"lost_by_keys", finite(d.lost_by_keys, "lost_by_keys")},
          {"accuracy_without_values", d.accuracy_without_values}};
}

interpret::ShiftedInduction shifted_induction_from(const Fields& fields) {
  interpret::ShiftedInduction d;
  d.by = fields.index("by");
  d.induction_heads = set_from(fields.objects("matchers"));
  d.key_heads = set_from(fields.objects("key_senders"));
  d.value_heads = set_from(fields.objects("value_senders"));
  d.weight = fields.number("weight"), d.control = fields.number("control");
  d.lost_by_keys = fields.number("lost_by_keys");
  d.accuracy_without_values = fields.part("accuracy_without_values");
  return d;
}

ordered_json all_sets_json(const interpret::AllSets& a) {
  return {{"sets", a.sets},
          {"enough", a.enough},
          {"smaller", a.smaller},
          {"minimal", a.minimal},
          {"smallest", set_json(a.smallest)}};
}

interpret::AllSets all_sets_from(const Fields& fields) {
  return {fields.index("sets"), fields.index("enough"), fields.index("smaller"), fields.index("minimal"),
          set_from(fields.objects("smallest"))};
}

}  // namespace

ordered_json claim_json(const Claim& c) {
  return {{"key", c.key},
          {"name", c.name},
          {"standing", interpret::to_string(c.standing)},
          {"number", or_null(c.number, "number of a claim")},
          {"threshold", finite(c.threshold, "threshold of a claim")},
          {"number_at_most", c.number_at_most},
          {"control", or_null(c.control, "control of a claim")},
          {"control_limit", finite(c.control_limit, "limit of a control")},
          {"control_at_most", c.control_at_most},
          {"says", c.says},
          {"more", c.more}};
}

ordered_json range_json(const std::pair<std::size_t, std::size_t>& range) {
  return {{"least", range.first}, {"most", range.second}};
}
std::pair<std::size_t, std::size_t> range_from(const Fields& range) {
  return {range.count("least"), range.count("most")};
}

ordered_json certificate_json(const Certificate& c) {
  ordered_json json = {{"verdict", interpret::to_string(c.verdict)},
                       {"accuracy", c.accuracy},
                       {"accuracy_on", c.predictable},
                       {"matchers", set_json(c.induction_heads)},
                       {"weak", set_json(c.weak)},
                       {"senders", set_json(c.previous_token_heads)},
                       {"helpers", set_json(c.helpers)},
                       {"through", name_of(c.through)},
                       {"by_smear", c.by_smear},
                       {"by_keys", finite(c.by_keys, "by_keys")},
                       {"by_queries", finite(c.by_queries, "by_queries")},
                       {"by_removal", finite(c.by_removal, "by_removal")}};
  if (c.accuracy_without_previous_token_heads)
    json["accuracy_without_senders"] = *c.accuracy_without_previous_token_heads;
  for (const interpret::StandIn& s : c.stand_ins) {
    json["stand_ins"].push_back(head_json(s.head));
    json["stand_ins"].back().update({{"replaces", set_json(s.replaces)}, {"accuracy", s.accuracy}});
  }
  if (c.all_sets) json["all_sets"] = all_sets_json(*c.all_sets);
  if (c.several_tokens) json["several_tokens"] = true;
  if (c.interchange) json["interchange"] = *c.interchange;
  if (c.distances) json["distances"] = range_json(*c.distances);
  if (c.accuracy_at_random) json["accuracy_at_random"] = *c.accuracy_at_random;
  if (c.random_distances) json["random_distances"] = range_json(*c.random_distances);
  if (c.whole) json["whole"] = true;
  for (const char* list : {"claims", "formation", "needed"}) json[list] = ordered_json::array();
  for (const Claim& claim : c.claims) json["claims"].push_back(claim_json(claim));
  for (const interpret::Formation& f : c.formation)
    json["formation"].push_back({{"step", f.step},
                                 {"matching", finite(f.matching, "matching")},
                                 {"previous", finite(f.previous, "previous")},
                                 {"accuracy", f.accuracy}});
  if (c.shifted_induction) json["displaced"] = shifted_induction_json(*c.shifted_induction);
  for (const interpret::Needed& n : c.needed) {
    ordered_json one = head_json(n.head);
    one.update({{"accuracy_without", n.accuracy_without},
                {"looks", n.looks},
                {"weight", finite(n.weight, "weight")}});
    json["needed"].push_back(std::move(one));
  }
  return json;
}

Certificate certificate_from(const Fields& fields) {
  Certificate c;
  c.verdict = named<interpret::Verdict>(fields.text("verdict"), 3);
  c.accuracy = fields.part("accuracy");
  if (fields.has("accuracy_on")) c.predictable = fields.text("accuracy_on");
  c.induction_heads = set_from(fields.objects("matchers"));
  if (fields.has("weak")) c.weak = set_from(fields.objects("weak"));
  c.previous_token_heads = set_from(fields.objects("senders"));
  c.helpers = set_from(fields.objects("helpers"));
  if (fields.has("stand_ins"))
    for (const Fields& s : fields.objects("stand_ins"))
      c.stand_ins.push_back({head_from(s), set_from(s.objects("replaces")), s.part("accuracy")});
  c.through = inputs_named(fields.text("through"));
  if (fields.has("all_sets")) c.all_sets = all_sets_from(fields.object("all_sets"));
  c.by_smear = fields.flag("by_smear");
  c.several_tokens = fields.has("several_tokens") && fields.flag("several_tokens");
  c.by_keys = fields.number("by_keys"), c.by_queries = fields.number("by_queries");
  if (fields.has("accuracy_without_senders"))
    c.accuracy_without_previous_token_heads = fields.part("accuracy_without_senders");
  if (fields.has("distances")) c.distances = range_from(fields.object("distances"));
  if (fields.has("random_distances")) c.random_distances = range_from(fields.object("random_distances"));
  c.whole = fields.has("whole") && fields.flag("whole");
  if (fields.has("interchange")) c.interchange = fields.part("interchange");
  if (fields.has("accuracy_at_random")) c.accuracy_at_random = fields.part("accuracy_at_random");
  if (fields.has("by_removal")) c.by_removal = fields.number("by_removal");
  for (const Fields& claim : fields.objects("claims")) c.claims.push_back(claim_from(claim));
  for (const Fields& f : fields.objects("formation")) {
    const std::int64_t step = f.count("step");
    check(c.formation.empty() || step > c.formation.back().step, "the steps of its formation do not rise");
    c.formation.push_back({step, f.number("matching"), f.number("previous"), f.part("accuracy")});
  }
  if (fields.has("displaced")) c.shifted_induction = shifted_induction_from(fields.object("displaced"));
  for (const Fields& n : fields.objects("needed"))
    c.needed.push_back({head_from(n), n.part("accuracy_without"), n.text("looks"), n.number("weight")});
  check(c.verdict == interpret::verdict_of(c), "the verdict does not follow from its claims");
  return c;
}

std::string to_json(const interpret::Certificate& c) { return certificate_json(c).dump(2) + "\n"; }

}  // namespace headlight::run
