#include <fmt/core.h>

#include "headlight/nn/by_hand.h"
#include "headlight/run/experiment.h"
#include "headlight/studies/certificate.h"
#include "models_by_hand.h"

namespace headlight::studies {
namespace {

using interpret::Certificate;
using interpret::Verdict;

// Small, because the certificate asks the same of every size.
constexpr std::size_t kTokens = 32, kPeriod = kTokens * 3 / 8;

Control by_hand(const std::string& name, const std::string& is, nn::Broken broken, Verdict verdict,
                const std::string& fails = "") {
  return {"by hand: " + name, is, fails, verdict, [broken](ThreadPool& pool) {
            tasks::TaskConfig sizes{.d_vocab = kTokens, .n_ctx = kTokens};
            // A fixed distance back is right for one period only.
            if (broken == nn::Broken::position_only) sizes.min_segment = sizes.max_segment = kPeriod;
            const nn::Transformer model =
                nn::induction_by_hand({.d_vocab = kTokens, .n_ctx = kTokens, .broken = broken});
            return interpret::certify(model, tasks::make_task(sizes), Rng(0), pool);
          }};
}

// `period`: of all sequences; 0: drawn for each.
Control composed(const std::string& name, const std::string& is, const std::string& fails, std::size_t period,
                 const std::function<nn::Transformer()>& make) {
  return {"by hand: " + name, is, fails, fails.empty() ? Verdict::circuit : Verdict::another_way,
          [make, period](ThreadPool& pool) {
            tasks::TaskConfig sizes{.d_vocab = kTokens, .n_ctx = kTokens};
            if (period > 0) sizes.min_segment = sizes.max_segment = period;
            return interpret::certify(make(), tasks::make_task(sizes), Rng(0), pool);
          }};
}

using Change = std::function<void(run::RunConfig&)>;

Control trained(const std::string& name, const std::string& is, Verdict verdict, const Change& change) {
  run::RunConfig config;
  change(config);
  return {name,
          is,
          "",
          verdict,
          [config](ThreadPool& pool) {
            run::Experiment run(config, {.threads = pool.threads()});
            run.run_until(run.config().train.steps);
            const std::vector<train::Snapshot> snapshots = run.snapshots();
            return interpret::certify(run.model(), run.task(), Rng(run.config().train.seed), pool,
                                      {.snapshots = &snapshots});
          },
          config};
}

}  // namespace

std::vector<Control> controls_by_hand() {
  using nn::Broken;
  return {
      by_hand("whole", "an exact previous-token head and an exact induction head", Broken::nothing,
              Verdict::circuit),
      by_hand("no copying", "the induction head says the next token of the vocabulary", Broken::copying,
              Verdict::unsolved, interpret::kCopying),
      by_hand("no matching", "the keys do not hold the token before", Broken::matching, Verdict::unsolved,
              interpret::kMatching),
      by_hand("position only", "the head looks a fixed distance back; every period is the same",
              Broken::position_only, Verdict::another_way, interpret::kMatching),
      by_hand("through queries", "an earlier head tells the query where its copies stand",
              Broken::through_queries, Verdict::circuit),
      composed("decorative head", "L1H0 writes a fifth of the copy, the answers come from L1H1",
               interpret::kNecessity, 0, [] { return decorative_head(kTokens, 0.2); }),
      composed("decorative head, weaker", "L1H0 writes a hundredth of the copy", interpret::kNecessity, 0,
               [] { return decorative_head(kTokens, 0.01); }),
      composed("two circuits", "either of them would do", "", 0, [] { return redundant_circuits(kTokens); }),
      composed("positional backup", "of one period, so L1H1 is right without looking at tokens",
               interpret::kNecessity, kPeriod, [] { return positional_backup(kTokens, kPeriod - 1); }),
      composed("decoy", "L1H0 looks at followers and writes nothing, L2H0 copies", "", 0,
               [] { return decoy(kTokens); }),
      composed("anti-copying head", "L1H1 looks at followers and lowers their logits", "", 0,
               [] { return anticopying_head(kTokens); }),
  };
}

std::vector<Control> demo_controls(std::size_t count) {
  std::vector<Control> all;
  for (std::uint64_t seed = 0; seed < count; ++seed)
    all.push_back(trained(fmt::format("demo, seed {}", seed), "the demo's model", Verdict::circuit,
                          [seed](run::RunConfig& c) { c.train.seed = seed; }));
  return all;
}

std::vector<Control> trained_controls() {
  std::vector<Control> all = demo_controls(3);
  const auto add = [&](const char* name, const char* is, Verdict verdict, const Change& change) {
    all.push_back(trained(name, is, verdict, change));
  };
  add("learned positions", "two heads a layer", Verdict::circuit, [](run::RunConfig& c) {
    c.model.positions = "learned";
    c.model.n_heads = 2;
  });
  add("MLPs", "the demo's model with MLPs", Verdict::circuit, [](run::RunConfig& c) { c.model.d_mlp = 256; });
  add("four layers", "the heads of one job stand in several layers", Verdict::circuit,
      [](run::RunConfig& c) { c.model.n_layers = 4; });
  add("learning rate 0.02", "no head has an induction score of 0.5, four share the job of the previous token",
      Verdict::circuit, [](run::RunConfig& c) {
        c.train.learning_rate = 0.02;
        c.train.seed = 1;
      });
  add("one layer, smeared keys", "each key holds a share of the key before", Verdict::circuit,
      [](run::RunConfig& c) {
        c.model.n_layers = 1;
        c.model.smeared_keys = true;
        c.train.steps = 2000;
      });
  add("one layer", "no earlier head", Verdict::unsolved, [](run::RunConfig& c) { c.model.n_layers = 1; });
  add("copy", "the copy task", Verdict::circuit, [](run::RunConfig& c) {
    c.task.name = "copy";
    c.train.steps = 2000;
  });
  add("fixed offset", "the copy task at one length: a fixed distance back is right", Verdict::another_way,
      [](run::RunConfig& c) {
        c.task.name = "copy";
        c.task.fixed_offset = true;
        c.train.steps = 1000;
      });
  add("warm-up of 50", "accuracy 1 without a matching head", Verdict::another_way, [](run::RunConfig& c) {
    c.train.learning_rate = 0.01;
    c.train.warmup = 50;
    c.train.seed = 6;
  });
  add("relative positions", "two heads a layer, accuracy 1 without a matching head", Verdict::another_way,
      [](run::RunConfig& c) {
        c.model.positions = "relative";
        c.model.n_heads = 2;
        c.train.learning_rate = 0.01;
      });
  return all;
}

bool as_known(const Control& control, const Certificate& c) {
  if (c.verdict != control.verdict) return false;
  if (control.fails.empty()) return true;
  for (const interpret::Claim& claim : c.claims)
    if ((claim.standing == interpret::Standing::fails) != (claim.key == control.fails)) return false;
  return true;
}

std::vector<std::string> control_head() {
  return {"model",     "verdict",     "matching", "copying", "composition",
          "necessity", "sufficiency", "order",    "circuit"};
}

std::vector<std::string> control_row(const Control& control, const Certificate& c) {
  std::vector<std::string> row{control.name, interpret::to_string(c.verdict)};
  for (const interpret::Claim& claim : c.claims) {
    const char* mark = claim.standing == interpret::Standing::holds   ? "✓"
                       : claim.standing == interpret::Standing::fails ? "✗"
                                                                      : "–";
    const bool steps = claim.key == interpret::kOrder;
    row.push_back(!claim.number ? std::string(mark)
                  : steps       ? fmt::format("{} {:.0f} ≤ {:.0f}", mark, *claim.number, claim.threshold)
                                : fmt::format("{} {:.2f}", mark, *claim.number));
  }
  row.push_back(interpret::codes_of(c.induction_heads) +
                (c.previous_token_heads.empty() ? "" : " ← " + interpret::codes_of(c.previous_token_heads)));
  return row;
}

}  // namespace headlight::studies
