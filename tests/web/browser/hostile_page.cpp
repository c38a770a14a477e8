// Prints the sample pages, for the tests in a browser: hostile_page [CELL], hostile_page QUERIES KEYS, or
// hostile_page hostile or large for a page that is hard on a browser. hostile_page terms FOLDER prints a
// run's scores and logits on its first sequence, as the library takes them apart.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "hard_pages.h"
#include "headlight/interpret/attribution.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/examples.h"
#include "headlight/run/run.h"
#include "page/sample_page.h"

namespace {

using namespace headlight;

nlohmann::json score_of(const nn::Transformer& model, const IntArray& tokens, const interpret::HeadAt& at,
                        std::size_t query, std::size_t key) {
  const auto apart = interpret::score_attribution(model, tokens, at, query, key);
  nlohmann::json by_key = nlohmann::json::object();
  for (std::size_t t = 0; t < apart.sources.size(); ++t) {
    double sum = 0;
    for (std::size_t s = 0; s < apart.sources.size(); ++s) sum += static_cast<double>(apart.terms(s, t));
    by_key[apart.sources[t].name] = sum;
  }
  return {{"layer", at.layer}, {"head", at.head},      {"query", query},
          {"key", key},        {"score", apart.score}, {"by_key", by_key}};
}

nlohmann::json logits_of(const nn::Transformer& model, const IntArray& tokens, const IntArray& targets) {
  const auto apart = interpret::direct_logit_attribution(model, tokens, targets, true);
  nlohmann::json list = nlohmann::json::array();
  for (const std::size_t i : {0, 25, 40, 62}) {
    nlohmann::json by_source = nlohmann::json::object();
    for (std::size_t s = 0; s < apart.sources.size(); ++s)
      by_source[apart.sources[s].name] = static_cast<double>(apart.values(s, 0, i));
    list.push_back({{"position", i},
                    {"token", targets.data()[i]},
                    {"logit", static_cast<double>(apart.logits(0, i))},
                    {"by_source", by_source}});
  }
  return list;
}

int print_terms(const char* folder) {
  const run::Run run = run::read_run(folder);
  const run::Example example = run::first_example(run.task, run.config.train.seed);
  const IntArray tokens = nn::one_sequence(example.tokens), targets = nn::one_sequence(example.targets);
  nlohmann::json scores = nlohmann::json::array();
  for (const auto& [query, key] :
       {std::pair<std::size_t, std::size_t>{25, 6}, {40, 21}, {63, 0}, {13, 13}, {1, 0}})
    for (const std::size_t layer : {0, 1})
      for (const std::size_t head : {0, 3})
        scores.push_back(score_of(*run.model, tokens, {layer, head}, query, key));
  std::cout << nlohmann::json{{"scores", scores}, {"logits", logits_of(*run.model, tokens, targets)}};
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace headlight::page;
  if (argc == 3 && argv[1] == std::string("terms")) return print_terms(argv[2]);
  const auto number = [&](int i) { return argc > i ? std::strtoul(argv[i], nullptr, 10) : 1; };
  const std::string name = argc == 2 ? argv[1] : "";
  const std::string html = name == "hostile" ? report_page(hostile_page())
                           : name == "large" ? report_page(large_page())
                           : argc > 2        ? report_page(full_page(number(1), number(2)))
                                             : report_page(sample_page(kHostileVocabulary, number(1)));
  return std::fwrite(html.data(), 1, html.size(), stdout) == html.size() ? 0 : 1;
}
