#include "run_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "headlight/core/check.h"
#include "headlight/core/files.h"

namespace headlight::app {
namespace {

using nlohmann::ordered_json;

std::string percent(const ordered_json& part) { return fmt::format("{:.1f} %", 100 * part.get<double>()); }
std::string nats(const ordered_json& loss) { return fmt::format("{:.4f} nats", loss.get<double>()); }

std::string best(const ordered_json& head) {
  return fmt::format("{:.3f} in head {}.{}", head.at("score").get<double>(), head.at("layer").get<int>(),
                     head.at("head").get<int>());
}

Facts facts_of(const ordered_json& s) {
  Facts facts{{"command", s.at("command")},
              {"made with", s.at("version")},
              {"seed", s.at("seed").dump()},
              {"steps of training", s.at("steps").dump() + (s.at("interrupted") ? ", then interrupted" : "")},
              {"time of training",
               fmt::format("{:.1f} s, {:.0f} tokens a second", s.at("train_seconds").get<double>(),
                           s.at("tokens_per_second").get<double>())},
              {"predictable tokens right", percent(s.at("accuracy").at("predictable"))},
              {"the same at lengths never trained on", percent(s.at("accuracy").at("held_out_period"))},
              {"loss on predictable tokens", nats(s.at("loss").at("predictable"))},
              {"loss on unpredictable tokens", nats(s.at("loss").at("unpredictable"))},
              {"best induction score", best(s.at("best").at(interpret::kInduction))},
              {"best previous-token score", best(s.at("best").at(interpret::kPreviousToken))}};
  if (!s.at("formed_at_step").is_null())
    facts.insert(facts.begin() + 5,
                 {"half of the predictable tokens right",
                  fmt::format("first at step {}, after {:.1f} s", s.at("formed_at_step").get<int>(),
                              s.at("formed_at_seconds").get<double>())});
  return facts;
}

bool has_scores(const ordered_json& summary, const std::vector<interpret::HeadScores>& scores) {
  const auto& heads = summary.at("heads");
  return std::equal(
      heads.begin(), heads.end(), scores.begin(), scores.end(), [](const auto& json, const auto& head) {
        const auto& kinds = interpret::score_kinds();
        return std::all_of(kinds.begin(), kinds.end(),
                           [&](const auto& kind) { return json.at(kind.key) == head[kind.key]; });
      });
}

}  // namespace

Facts result_facts(const std::filesystem::path& folder, const std::vector<interpret::HeadScores>& scores) {
  const auto path = folder / "summary.json";
  const std::string text = read_file(path);
  try {
    const ordered_json summary = ordered_json::parse(text);
    check(has_scores(summary, scores),
          "'{}' and metrics.jsonl are of different runs: their last scores differ.", path.string());
    return facts_of(summary);
  } catch (const ordered_json::exception&) {
    fail(
        "'{}' is damaged, or of an older version. Hint: ./headlight train --config {}/config.json --out {} "
        "trains it again.",
        path.string(), folder.string(), folder.string());
  }
}

Facts setting_facts(const train::RunConfig& config) {
  Facts facts;
  const ordered_json json = ordered_json::parse(train::to_json(config));
  for (const auto& [part, members] : json.items())
    for (const auto& [name, value] : members.items())
      facts.emplace_back(part + "." + name, value.is_string() ? value.get<std::string>() : value.dump());
  return facts;
}

}  // namespace headlight::app
