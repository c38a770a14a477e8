#include "headlight/studies/stability.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/draw/table.h"
#include "headlight/system/text.h"

namespace headlight::studies {
namespace {

NamedHead& entry_of(std::vector<NamedHead>& heads, const interpret::HeadAt& head) {
  const auto at =
      std::find_if(heads.begin(), heads.end(), [&](const NamedHead& named) { return named.head == head; });
  if (at != heads.end()) return *at;
  heads.push_back({head});
  return heads.back();
}

}  // namespace

Stability stability(const run::Run& run, std::size_t draws, ThreadPool& pool) {
  Stability found;
  found.draws = draws;
  for (std::size_t i = 0; i < draws; ++i) {
    const Rng rng = Rng(run.config.train.seed).stream("certified again", i);
    const interpret::Certificate c = interpret::certify(*run.model, run.task, rng, pool);
    found.circuits += c.verdict == interpret::Verdict::circuit ? 1 : 0;
    for (const interpret::HeadAt& head : c.induction_heads) ++entry_of(found.heads, head).induction;
    for (const interpret::HeadAt& head : c.previous_token_heads) ++entry_of(found.heads, head).previous_token;
    for (const interpret::HeadAt& head : c.helpers) ++entry_of(found.heads, head).helper;
  }
  std::sort(found.heads.begin(), found.heads.end(), [](const NamedHead& x, const NamedHead& y) {
    return std::pair(x.head.layer, x.head.head) < std::pair(y.head.layer, y.head.head);
  });
  return found;
}

std::string stability_text(const Stability& stability, std::size_t columns) {
  std::string text;
  const auto count = [](std::size_t number) { return fmt::format("{}", number); };
  for (const std::string& line : wrapped(
           fmt::format("The model was certified {} times, each time on new sequences. An induction circuit "
                       "was found {} times. How often each head was named:",
                       stability.draws, stability.circuits),
           columns))
    text += line + "\n";
  draw::Table table{{"head", "induction head", "previous-token head", "helper"}, {}};
  for (const NamedHead& head : stability.heads)
    table.rows.push_back({interpret::head_code(head.head), count(head.induction), count(head.previous_token),
                          count(head.helper)});
  return text + "\n" + draw::terminal_table(table, columns);
}

}  // namespace headlight::studies
