// The commands that look inside heads: ablate, patch, circuits, attribute. Each number is compared with the
// library's own.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/interpret/attribution.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/examples.h"
#include "headlight/studies/head_studies.h"
#include "headlight/studies/patterns.h"
#include "headlight/system/text.h"
#include "studied_run.h"

using namespace headlight;
using nlohmann::json;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// No line of a terminal table is wider than a window of 100 columns.
void check_narrow(const std::string& text) {
  for (const std::string& line : text_lines(text)) {
    INFO(line);
    CHECK(display_width(line) <= 100);
  }
}

}  // namespace

TEST_CASE("ablate measures each head and the greedy set on held-out draws", "[program][studies]") {
  const StudiedRun& s = studied();
  ThreadPool pool(1);
  const tasks::Batch batch = studies::study_batch(*s.run), second = s.second_draw(32),
                     many = s.second_draw(1024);
  REQUIRE(batch.tokens.shape()[0] == 32);
  REQUIRE(batch.tokens != second.tokens);
  for (const auto& [flag, outputs] : {std::pair{"", interpret::mean_outputs(s.model(), many)},
                                      {"--zero", interpret::no_outputs(s.model())},
                                      {"--resample", interpret::outputs_of(s.model(), second)}}) {
    const interpret::AblationStudy study(s.model(), batch, outputs, pool);
    const json out = s.numbers("ablate", flag);
    check_near(out["intact_accuracy"], *study.intact().accuracy_predictable);
    check_near(out["intact_loss"], *study.intact().loss_predictable);
    const auto singles = study.singles();
    REQUIRE(out["singles"].size() == singles.size());
    for (std::size_t i = 0; i < singles.size(); ++i) {
      CHECK(out["singles"][i]["head"] == interpret::codes_of(singles[i].heads));
      check_near(out["singles"][i]["loss_rise"], singles[i].loss_rise);
      check_near(out["singles"][i]["loss"], *singles[i].after.loss_predictable);
      check_near(out["singles"][i]["accuracy_change"], -singles[i].accuracy_drop);
    }
    const auto greedy = study.greedy(0.25 * *study.intact().accuracy_predictable);
    REQUIRE(out["greedy"].size() == greedy.size());
    check_near(out["greedy"].back()["accuracy"], *greedy.back().after.accuracy_predictable);
    for (std::size_t i = 0; i < greedy.size(); ++i) {
      const interpret::HeadSet before = i == 0 ? interpret::HeadSet{} : greedy[i - 1].heads;
      CHECK(out["greedy"][i]["added"] == interpret::codes_of(interpret::without(greedy[i].heads, before)));
    }
  }
}

TEST_CASE("ablate prints what its JSON and CSV have", "[program][studies]") {
  const StudiedRun& s = studied();
  const json out = s.numbers("ablate");
  const std::string text = s.output("ablate"), csv = s.output("ablate", "--csv");
  check_narrow(text);
  for (const auto& row : out["singles"])
    CHECK(contains(
        text, fmt::format("{}  {:>8.3f}", row["head"].get<std::string>(), row["accuracy"].get<double>())));
  CHECK(first_line(csv) == "head,accuracy,accuracy_change,loss,loss_rise");
  CHECK(count_of(csv, "\n") == 1 + out["singles"].size());
  CHECK(contains(csv, fmt::format("L0H0,{},", out["singles"][0]["accuracy"].get<double>())));
  CHECK(first_line(s.output("ablate", "--greedy --csv")) ==
        "size,added,accuracy,accuracy_change,loss,loss_rise");
  const std::string svg = s.folder() + "/a.svg";
  s.output("ablate", "--svg " + svg);
  CHECK(count_of(read_file(svg), "<rect") == 1 + out["singles"].size());  // with the paper
}

TEST_CASE("ablate --pairs shows what a pair costs beyond its heads", "[program][studies]") {
  const StudiedRun& s = studied();
  const json singles = s.numbers("ablate")["singles"], pairs = s.numbers("ablate", "--pairs")["pairs"];
  const auto alone = [&](const std::string& head) {
    for (const auto& row : singles)
      if (row["head"] == head) return row["loss_rise"].get<double>();
    FAIL("no head " + head);
    return 0.0;
  };
  REQUIRE(pairs.size() == 6);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string heads = pairs[i]["heads"];
    const double apart = alone(heads.substr(0, 4)) + alone(heads.substr(6));
    check_near(pairs[i]["loss_rise_apart"], apart);
    check_near(pairs[i]["excess"], pairs[i]["loss_rise"].get<double>() - apart);
    if (i > 0) CHECK(pairs[i]["excess"] <= pairs[i - 1]["excess"]);
  }
}

TEST_CASE("ablate --heads compares with as many other heads", "[program][studies]") {
  const StudiedRun& s = studied();
  const json sets = s.numbers("ablate", "--heads 1.0")["sets"], singles = s.numbers("ablate")["singles"];
  REQUIRE(sets.size() == 4);
  CHECK(sets[0]["heads"] == "L1H0");
  for (const auto& set : sets)
    for (const auto& single : singles)
      if (single["head"] == set["heads"]) CHECK(single["loss_rise"] == set["loss_rise"]);
  for (std::size_t i = 1; i < sets.size(); ++i) CHECK(sets[i]["heads"] != "L1H0");
  const auto rise = [](const json& set) { return set["loss_rise"].get<double>(); };
  const auto largest = *std::max_element(sets.begin() + 1, sets.end(),
                                         [&](const json& a, const json& b) { return rise(a) < rise(b); });
  const double mean = (rise(sets[1]) + rise(sets[2]) + rise(sets[3])) / 3;
  CHECK(contains(
      s.numbers("ablate", "--heads 1.0").dump(),
      fmt::format("Without L1H0 the loss rises by {:.3f} nats. Without 1 other head it rises by {:.3f} in "
                  "the mean of 3 sets, and by at most {:.3f} ({}).",
                  rise(sets[0]), mean, rise(largest), largest["heads"].get<std::string>())));
  const json three = s.numbers("ablate", "--heads L1H0,0.1,1.1");
  REQUIRE(three["sets"].size() == 2);
  CHECK(three["sets"][0]["heads"] == "L1H0, L0H1, L1H1");
  CHECK(three["sets"][1]["heads"] == "L0H0");
  CHECK(contains(three.dump(), "The model has only 1 other heads."));
  CHECK(contains(s.output("ablate", "--heads 0.0,0.1,1.0,1.1"), "all heads of the model"));
}

TEST_CASE("patch has the path matrix", "[program][studies]") {
  const StudiedRun& s = studied();
  ThreadPool pool(1);
  const tasks::Batch clean = studies::study_batch(*s.run);
  const tasks::Batch other = interpret::renamed(clean, s.model().config().d_vocab, s.run->task.special,
                                                Rng(s.run->config.train.seed).stream("study, names"));
  const auto outputs = interpret::outputs_of(s.model(), other);
  const interpret::PathPatching paths(s.model(), clean, outputs);
  const auto matrix = interpret::path_matrix(paths, s.model(), clean, pool);
  const json all = s.numbers("patch")["paths"], keys = s.numbers("patch", "--to keys")["paths"];
  REQUIRE(all.size() == 2 * 2 * 3 + 4);
  REQUIRE(keys.size() == 2 * 2 + 4);
  std::size_t found = 0;
  for (const auto& row : all)
    for (std::size_t i = 0; i < 4; ++i) {
      if (row["sender"] != interpret::head_code(matrix.senders[i])) continue;
      if (row["receiver"] == "logits") check_near(row["loss_rise"], matrix.to_logits[i]), ++found;
      for (std::size_t r = 0; r < matrix.receivers.size(); ++r) {
        const auto& receiver = matrix.receivers[r];
        if (row["receiver"] != interpret::head_code(receiver.head)) continue;
        if (row["input"] != interpret::head_inputs().names()[r % 3]) continue;
        check_near(row["loss_rise"], matrix.rises[i][r]), ++found;
      }
    }
  CHECK(found == all.size());
  for (const auto& row : keys)
    if (!row["input"].is_null()) CHECK(row["input"] == "keys");
  const std::string text = s.output("patch");
  check_narrow(text);
  for (const auto& row : all)
    if (std::abs(row["loss_rise"].get<double>()) > 5e-4)
      CHECK(contains(text, fmt::format("{:+.3f}", row["loss_rise"].get<double>())));
  const std::string svg = s.folder() + "/p.svg";
  s.output("patch", "--svg " + svg);
  CHECK(count_of(read_file(svg), "<rect") == 2 + all.size());  // the ground and the colour bar
  CHECK(contains(read_file(svg), "row = sender, column = receiver"));
}

TEST_CASE("patch --streams and --heads restore the clean prediction", "[program][studies]") {
  const StudiedRun& s = studied();
  ThreadPool pool(1);
  const tasks::Batch clean = studies::study_batch(*s.run);
  const tasks::Batch corrupted = interpret::renamed(clean, s.model().config().d_vocab, s.run->task.special,
                                                    Rng(s.run->config.train.seed).stream("study, names"));
  const auto streams = interpret::patch_streams(s.model(), clean, corrupted, pool);
  const json rows = s.numbers("patch", "--streams")["restored"];
  REQUIRE(rows.size() == 2 * 16);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i]["stream"] == streams.hooks[i / 16]);
    CHECK(rows[i]["position"] == i % 16);
    check_near(rows[i]["restored"], streams.restored[i / 16][i % 16]);
  }
  const auto heads = interpret::patch_heads(s.model(), clean, corrupted, pool);
  const json of_heads = s.numbers("patch", "--heads")["restored"];
  REQUIRE(of_heads.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) check_near(of_heads[i]["restored"], heads.restored[i][0]);
  CHECK(first_line(s.output("patch", "--heads --csv")) == "head,restored");
}

TEST_CASE("the pictures of studies have the numbers and labels of their tables", "[program][studies]") {
  const StudiedRun& s = studied();
  ThreadPool pool(1);
  const studies::Study streams = studies::restoration_study(*s.run, studies::Restored::streams, pool);
  const auto& map = std::get<draw::SignedMap>(streams.picture);
  const json rows = s.numbers("patch", "--streams")["restored"];
  REQUIRE(map.rows == std::vector<std::string>{"0", "1"});
  REQUIRE(map.columns.size() == 16);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(map.columns[i % 16] == std::to_string(i % 16));
    check_near(rows[i]["restored"], *map.values[i / 16][i % 16]);
  }
  const studies::Study sensitivity = studies::sensitivity_study(
      run::read_run(s.folder(), run::parts::kTrained), {}, pool);  // without snapshots
  const auto& bars = std::get<draw::Bars>(sensitivity.picture);
  const json heads = s.numbers("sensitivity")["heads"];
  REQUIRE(bars.values.size() == heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    CHECK(heads[i]["head"] == bars.labels[i]);
    check_near(heads[i]["rise_true"], bars.values[i]);
  }
  const studies::Study ov = studies::full_circuit_study(*s.run, {1, 0}, studies::FullCircuit::ov);
  const Array product = interpret::full_ov(s.model(), {1, 0}).product();
  const std::size_t V = product.shape()[0];
  double diagonal = 0, elsewhere = 0;
  for (std::size_t t = 0; t < V; ++t)
    for (std::size_t u = 0; u < V; ++u) (t == u ? diagonal : elsewhere) += static_cast<double>(product(t, u));
  CHECK(contains(
      studies::study_json(ov),
      fmt::format("a token changes its own logit by {:.3f} in the mean, those of other tokens by {:.3f}.",
                  diagonal / static_cast<double>(V), elsewhere / static_cast<double>(V * (V - 1)))));
}

TEST_CASE("circuits has the scores and compositions of all heads", "[program][studies]") {
  const StudiedRun& s = studied();
  const json out = s.numbers("circuits");
  const auto circuits = interpret::circuits_of(s.model());
  REQUIRE(out["heads"].size() == circuits.size());
  for (std::size_t i = 0; i < circuits.size(); ++i) {
    check_near(out["heads"][i]["copying_eigenvalues"], *circuits[i].copying_eigen);
    check_near(out["heads"][i]["copying_olsson"], *circuits[i].copying_olsson);
    check_near(out["heads"][i]["ov_singular_2"], circuits[i].ov_singular[1]);
    check_near(out["heads"][i]["qk_singular_1"], circuits[i].qk_singular[0]);
  }
  const auto pairs = interpret::compositions(s.model());
  REQUIRE(out["compositions"].size() == pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    check_near(out["compositions"][i]["k"], pairs[i].score.k);
    check_near(out["compositions"][i]["q_ratio"], pairs[i].ratio.q);
    check_near(out["compositions"][i]["v_baseline"], pairs[i].baseline.v);
  }
  const std::string text = s.output("circuits");
  check_narrow(text);
  for (const auto& pair : pairs)
    if (std::abs(pair.score.k) > 5e-4) CHECK(contains(text, fmt::format("{:+.3f}", pair.score.k)));
}

TEST_CASE("circuits has a full circuit token by token", "[program][studies]") {
  const StudiedRun& s = studied();
  const std::size_t V = s.model().config().d_vocab;
  const Array ov = interpret::full_ov(s.model(), {1, 0}).product();
  const json rows = s.numbers("circuits", "--head 1.0 --ov")["circuit"];
  REQUIRE(rows.size() == V * V);
  for (std::size_t t = 0; t < V; ++t)
    for (std::size_t u = 0; u < V; ++u) {
      CHECK(rows[t * V + u]["attended"] == s.run->task.vocabulary.text(static_cast<std::int32_t>(t)));
      CHECK(rows[t * V + u]["raised"] == s.run->task.vocabulary.text(static_cast<std::int32_t>(u)));
      check_near(rows[t * V + u]["value"], static_cast<double>(ov(t, u)));
    }
  interpret::CircuitOptions behind;
  behind.distance = 1;
  const auto tokens = interpret::CircuitInput::tokens;
  const Array qk = interpret::full_qk(s.model(), {0, 1}, tokens, tokens, behind).product();
  const json scores = s.numbers("circuits", "--head L0H1 --qk --distance 1")["circuit"];
  check_near(scores[2 * V + 5]["value"], static_cast<double>(qk(2, 5)));
  CHECK(scores[2 * V + 5]["query"] == "C");
  CHECK(scores[2 * V + 5]["key"] == "F");
  const std::string svg = s.folder() + "/c.svg";
  s.output("circuits", "--head 1.0 --ov --svg " + svg);
  CHECK(count_of(read_file(svg), "<rect") == 2 + V * V);
}

TEST_CASE("attribute takes a prediction apart", "[program][studies]") {
  const StudiedRun& s = studied();
  const auto example = run::first_example(s.run->task, s.run->config.train.seed);
  const Array logits = s.model()(nn::one_sequence(example.tokens)).array();  // (1,n,V)
  const json out = s.numbers("attribute", "--position 9");
  CHECK(out["token"] == s.run->task.vocabulary.text(example.targets[9]));
  const double logit = logits(0, 9, static_cast<std::size_t>(example.targets[9]));
  CHECK(out["logit"].get<double>() == Approx(logit).margin(1e-4));
  for (const char* table : {"paths", "parts"}) {
    double sum = 0, last = HUGE_VAL;
    for (const auto& row : out[table]) {
      sum += row["contribution"].get<double>();
      CHECK(std::abs(row["contribution"].get<double>()) <= last);
      last = std::abs(row["contribution"].get<double>());
      // Of a sum that is not 0 the largest part of its sign.
      if (row["of_position"].is_number())
        CHECK(row["contribution"].get<double>() * row["of_position"].get<double>() >= 0);
    }
    CHECK(sum == Approx(logit).margin(1e-4));
  }
  REQUIRE(out["paths"].size() == 1 + 4 + 4);
  CHECK(contains(out["paths"].dump(), "\"direct\""));
  CHECK(contains(out["paths"].dump(), "L0H1 → L1H0"));
  check_narrow(s.output("attribute", "--position 9"));
  const double difference = s.numbers("attribute", "--position 9 --token B --minus C")["logit"];
  CHECK(difference == Approx(logits(0, 9, 1) - logits(0, 9, 2)).margin(1e-4));
  const json of_b = s.numbers("attribute", "--position 9 --token B");
  double all = 0;
  for (std::size_t v = 0; v < logits.shape()[2]; ++v)
    all += std::exp(static_cast<double>(logits(0, 9, v) - logits(0, 9, 1)));
  CHECK(contains(of_b["sentences"][0], fmt::format("the model gives 'B' {:.1f} %", 100 / all)));
  const json own = s.numbers("attribute", "--position 2 --tokens ABCABC");
  CHECK(own["read"] == "C");
  CHECK(own["token"] == "A");
}

TEST_CASE("attribute --head takes a score apart", "[program][studies]") {
  const StudiedRun& s = studied();
  const auto example = run::first_example(s.run->task, s.run->config.train.seed);
  const auto run = studies::patterns_of(s.model(), example);
  const Array& pattern = run.cache["blocks.1.attn.hook_pattern"];  // (1,H,n,n)
  std::size_t most = 0, query = 4;
  for (; query < 16 && most == 0; ++query)  // one that looks most at another key than the first
    for (std::size_t j = 0; j <= query; ++j)
      if (pattern(0, 1, query, j) > pattern(0, 1, query, most)) most = j;
  REQUIRE(most > 0);
  --query;
  const std::string place = fmt::format("--position {} --head ", query);
  const json out = s.numbers("attribute", place + "1.1");
  CHECK(out["key"] == most);
  check_near(out["weight"], static_cast<double>(pattern(0, 1, query, most)));
  for (const std::size_t key : {most, std::size_t{3}}) {
    const json at = s.numbers("attribute", place + fmt::format("L1H1 --key {}", key));
    const auto a =
        interpret::score_attribution(s.model(), nn::one_sequence(example.tokens), {1, 1}, query, key);
    check_near(at["score"], a.score);
    REQUIRE(at["terms"].size() == a.sources.size() * a.sources.size());
    double sum = 0;
    for (const auto& term : at["terms"]) {
      sum += term["contribution"].get<double>();
      for (std::size_t i = 0; i < a.sources.size(); ++i)
        for (std::size_t j = 0; j < a.sources.size(); ++j)
          if (term["query_source"] == a.sources[i].name && term["key_source"] == a.sources[j].name)
            check_near(term["contribution"], static_cast<double>(a.terms(i, j)));
      if (term["key_source"] == "L0H1") {
        std::size_t from = 0;
        while (a.sources[from].name != "L0H1") ++from;
        CHECK(contains(term["key_words"], fmt::format("at {}", *a.key_from[from])));
      }
    }
    CHECK(sum == Approx(a.score).margin(1e-4));
  }
  check_narrow(s.output("attribute", "--position 9 --head 1.1"));
}

TEST_CASE("the commands of heads refuse what they cannot do", "[program][studies]") {
  const std::string run = studied().folder();
  check_refused("ablate " + run + " --heads 2.0", "there is no layer 2");
  check_refused("ablate " + run + " --heads one", "'one' is no head");
  check_refused("ablate " + run + " --mean --zero", "excludes");
  check_refused("ablate " + run + " --json --csv", "excludes");
  check_refused("ablate " + run + "-none", "there is no run");
  check_refused("patch " + run + " --to key", "unknown");
  check_refused("patch " + run + " --heads --to keys", "excludes");
  check_refused("circuits " + run + " --head 1.0", "--head goes with --ov or --qk");
  check_refused("circuits " + run + " --ov", "--head goes with --ov or --qk");
  const std::string wide = run + "-wide";
  REQUIRE(headlight_program(
              "train --layers 1 --context 16 --vocab 1001 --d-model 8 --heads 2 --batch 8 --history 0 "
              "--steps 1 --out " +
              wide)
              .status == 0);
  check_refused("circuits " + wide + " --head 0.0 --ov", "this model has 1001 tokens: expected at most 1000");
  check_refused("circuits " + run + " --distance 1", "--distance goes with --head and --qk");
  check_refused("circuits " + run + " --head 1.0 --ov --distance 1", "a distance belongs to the QK circuit");
  check_refused("circuits " + run + " --head 1.0,1.1 --ov", "--head is one head");
  check_refused("attribute " + run, "--position is required");
  check_refused("attribute " + run + " --position 16",
                "there is no position 16: the last of the sequence is 15.");
  check_refused("attribute " + run + " --position 3 --token AB", "'AB' is 2 tokens of this run");
  check_refused("attribute " + run + " --position 3 --key 1", "--key goes with --head");
  check_refused("attribute " + run + " --position 3 --head 1.0 --key 5", "query 3 does not see key 5");
  check_refused("attribute " + run + " --position 3 --head 1.0 --token B", "excludes");
}

TEST_CASE("an encoder-decoder's paths are refused, its heads ablated", "[program][studies]") {
  const TemporaryFolder temporary;
  const std::string run = (temporary.path() / "run").string();
  REQUIRE(headlight_program(
              "train --architecture encoder-decoder --task reverse --context 16 --vocab 12 --d-model "
              "16 --heads 2 --batch 8 --steps 5 --history 0 --out " +
              run)
              .status == 0);
  check_refused("patch " + run, "expected a model of one stack, got an encoder–decoder");
  check_refused("attribute " + run + " --position 2 --head C1.0",
                "expected a head of the stack that predicts");
  const Outcome ablated = headlight_program("ablate " + run + " --json");
  REQUIRE(ablated.status == 0);
  CHECK(json::parse(ablated.out)["singles"].size() == 12);
  const Outcome attributed = headlight_program("attribute " + run + " --position 2 --json");
  CHECK(attributed.status == 0);
  CHECK(contains(attributed.out, "C1H0"));
}
