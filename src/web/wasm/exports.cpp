// What the page calls. Numbers are arguments; texts and bytes go through one buffer in and one out.
#include <nlohmann/json.hpp>

#include "headlight/core/gemm.h"
#include "headlight/core/version.h"
#include "headlight/lab/lab.h"
#include "headlight/system/json_output.h"
#include "headlight/system/sha256.h"
#include "page/page.h"
#include "page/run_data.h"
#include "page/sections/run_terms.h"
#include "probe.h"

#define EXPORT(name) extern "C" __attribute__((export_name(#name))) void name

namespace headlight::lab {
namespace {

using nlohmann::ordered_json;

std::string in, out;
std::unique_ptr<Lab> lab;

Lab& open_lab() {
  check(lab != nullptr, "[lab] no model was made.");
  return *lab;
}

// Heads by their numbers, layer by layer.
interpret::HeadSet heads_of(const std::vector<std::size_t>& numbers, const nn::TransformerConfig& config) {
  const interpret::HeadSet all = interpret::all_heads(config);
  interpret::HeadSet heads;
  for (const std::size_t head : numbers) {
    check(head < all.size(), "[lab] the model has no head {}.", head);
    heads.push_back(all[head]);
  }
  return heads;
}

// {"tokens": […], "off": [1], "way": "mean", "cut": [[4, 23, 3]]}
Changes changes_of(const ordered_json& json, const nn::TransformerConfig& config) {
  Changes changes;
  changes.off = heads_of(json.value("off", std::vector<std::size_t>()), config);
  changes.way = interpret::ablations().find(json.value("way", "mean"));
  for (const auto& edge : json.value("cut", ordered_json::array()))
    changes.cut.push_back({heads_of({edge.at(0).get<std::size_t>()}, config).at(0),
                           edge.at(1).get<std::size_t>(), edge.at(2).get<std::size_t>()});
  changes.mlps_off = json.value("mlps_off", std::vector<std::size_t>());
  if (json.contains("patch")) {
    changes.patch.heads = heads_of(json["patch"].at("heads").get<std::vector<std::size_t>>(), config);
    changes.patch.tokens = json["patch"].at("tokens").get<std::vector<std::int32_t>>();
  }
  return changes;
}

void put_model() {
  const nn::TransformerConfig& model = lab->model().config();
  ordered_json vocabulary = ordered_json::array();
  for (std::size_t id = 0; id < model.d_vocab; ++id)
    vocabulary.push_back(lab->task().vocabulary.text(static_cast<std::int32_t>(id)));
  out = ordered_json{{"config", ordered_json::parse(run::to_json(lab->config()))},
                     {"n_layers", model.n_layers},
                     {"n_heads", model.n_heads},
                     {"n_ctx", model.n_ctx},
                     {"mlps", model.d_mlp > 0},
                     {"vocabulary", std::move(vocabulary)}}
            .dump();
}

void append(const Array& array) {
  out.append(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(Real));
}

}  // namespace

extern "C" __attribute__((export_name("lab_input"))) char* lab_input(std::size_t size) {
  in.assign(size, '\0');
  return in.data();
}
extern "C" __attribute__((export_name("lab_output"))) const char* lab_output() { return out.data(); }
extern "C" __attribute__((export_name("lab_output_size"))) std::size_t lab_output_size() {
  return out.size();
}

// A product of two matrices of 512 x 512, as `bench` times it in the terminal. The page times this.
EXPORT(lab_product)() {
  constexpr std::size_t n = 512;
  const static Array a = full_array({n, n}, 1);
  static Array c = full_array({n, n}, 0);
  const ConstMatrixView factor{a.data(), n, n, n};
  gemm(factor, factor, {c.data(), n, n, n});
  out.clear();
}

// Out: what runs here.
EXPORT(lab_about)() { out = ordered_json{{"version", version()}, {"fused", rounds_once()}}.dump(); }

// In: a config as JSON. This lab computes shards first … last-1; all, if last is 0. Out: what the model is.
EXPORT(lab_make)(std::size_t first, std::size_t last) {
  const run::RunConfig config = run::run_config_from_json(in);
  lab = last == 0 ? std::make_unique<Lab>(config)
                  : std::make_unique<Lab>(config, train::Exchange::Range{first, last});
  put_model();
}

// In: {"broken": "none", "scales": [1, 1, 1]}. Out: as of lab_make.
EXPORT(lab_make_by_hand)() {
  const ordered_json json = ordered_json::parse(in);
  const auto scales = json.at("scales").get<std::vector<double>>();
  lab = by_hand(nn::broken_ingredients().find(json.at("broken").get<std::string>()), scales.at(0),
                scales.at(1), scales.at(2));
  put_model();
}

// In: the bytes of a model.safetensors. And out.
EXPORT(lab_set_weights)() { open_lab().set_weights(in); }
EXPORT(lab_weights)() { out = open_lab().weights(); }

// In: [1]. These heads write nothing from here on.
EXPORT(lab_silence)() {
  const auto heads = ordered_json::parse(in).get<std::vector<std::size_t>>();
  open_lab().silence(heads_of(heads, open_lab().model().config()));
}

// Out: the SHA-256 of the bytes of model.safetensors.
EXPORT(lab_hash)() { out = sha256(open_lab().weights()); }

// Out: the sums for the other labs.
EXPORT(lab_gradients)() { out = open_lab().gradients(); }

// In: the sums of the other labs, one after the other. Out: the step.
EXPORT(lab_apply)() {
  const train::StepReport report = open_lab().apply({in});
  out = ordered_json{{"step", report.step},
                     {"loss", report.loss},
                     {"gradient_norm", report.gradient_norm},
                     {"learning_rate", report.learning_rate}}
            .dump();
}

// Out: a sequence of the task.
EXPORT(lab_sequence)(std::uint32_t number) {
  const tasks::Sequence s = open_lab().sequence(number);
  ordered_json predictable = ordered_json::array();
  for (const bool known : s.predictable) predictable.push_back(known ? 1 : 0);
  out = ordered_json{{"tokens", s.tokens}, {"targets", s.targets}, {"predictable", std::move(predictable)}}
            .dump();
}

// In: {"tokens": […]} and changes. Out: floats, the patterns (L,H,n,n), the probabilities (n,V) and those of
// the logit lens (L,n,V).
EXPORT(lab_look)() {
  const ordered_json json = ordered_json::parse(in);
  const Lab& mine = open_lab();
  const Look look =
      mine.look(json.at("tokens").get<std::vector<std::int32_t>>(), changes_of(json, mine.model().config()));
  out.clear();
  append(look.patterns);
  append(look.probabilities);
  append(look.lens);
}

// In: changes. Out: loss and accuracy on so many fresh sequences.
EXPORT(lab_evaluate)(std::size_t sequences) {
  const Lab& mine = open_lab();
  const train::Evaluation e =
      mine.evaluate(changes_of(ordered_json::parse(in), mine.model().config()), sequences);
  out = ordered_json{{"loss", e.loss},
                     {"accuracy", or_null(e.accuracy_predictable)},
                     {"loss_predictable", or_null(e.loss_predictable)},
                     {"loss_unpredictable", or_null(e.loss_unpredictable)}}
            .dump();
}

// In: {"steps": 700, "seconds": 9.5, "loss": 0.02}. Keeps the weights as those after so many steps.
EXPORT(lab_keep)() {
  const ordered_json at = ordered_json::parse(in);
  open_lab().keep(at.at("steps").get<std::int64_t>(), at.at("seconds").get<double>(),
                  at.at("loss").get<double>());
}

// In: a title. Out: what the page shows of the run with what was kept (page/run_data.h).
EXPORT(lab_page)() {
  ThreadPool pool(1);
  out = page::page_data(page::run_data(open_lab().run(), in, {}, true, pool));
}

// In: {"tokens": […], "targets": […], "guesses": [[…], …]}. Out: the sequence taken apart, as in a page.
EXPORT(lab_terms)() {
  const ordered_json json = ordered_json::parse(in);
  page::Shown s;
  s.example.tokens = json.at("tokens").get<std::vector<std::int32_t>>();
  s.example.targets = json.at("targets").get<std::vector<std::int32_t>>();
  for (const auto& listed : json.at("guesses")) {
    std::vector<page::Guess>& guesses = s.guesses.emplace_back();
    for (const auto& token : listed) guesses.push_back({token.get<std::int32_t>(), 0});
  }
  const nn::Transformer& model = open_lab().model();
  ordered_json terms = page::terms_json(model, s);
  terms["turn"] = page::turn_of(model);
  out = terms.dump();
}

}  // namespace headlight::lab
