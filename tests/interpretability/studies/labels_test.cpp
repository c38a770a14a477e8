// What stands beside and below the numbers that people read.
#include "catch.h"
#include "headlight/nn/by_hand.h"
#include "headlight/run/examples.h"
#include "headlight/studies/certificate.h"
#include "headlight/studies/patterns.h"

using namespace headlight;

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words{""};
  for (const char c : text)
    if (c == ' ' || c == '\n')
      words.emplace_back();
    else
      words.back() += c;
  std::erase(words, "");
  return words;
}

// The line of a text that has these words.
std::string line_with(const std::string& text, const std::string& wanted) {
  const std::size_t at = text.find(wanted);
  if (at == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("the certificate's table has each number in its own column", "[studies][labels]") {
  interpret::Certificate c;
  for (const auto& [key, name] :
       {std::pair{interpret::kMatching, "looks"}, {interpret::kNecessity, "needs"}}) {
    interpret::Claim claim;
    claim.key = key, claim.name = name, claim.standing = interpret::Standing::fails;
    claim.number = 0.11, claim.threshold = 0.22, claim.control = 0.33, claim.control_limit = 0.44;
    claim.number_at_most = key == std::string(interpret::kNecessity);
    claim.control_at_most = !claim.number_at_most;
    c.claims.push_back(claim);
  }
  const std::string table = studies::certificate_table(c);
  CHECK(words_of(line_with(table, "claim")) ==
        std::vector<std::string>{"claim", "known", "number", "needed", "control", "allowed", "verdict"});
  CHECK(words_of(line_with(table, "looks")) ==
        std::vector<std::string>{"looks", "seen", "0.11", "≥", "0.22", "0.33", "≤", "0.44", "✗", "fails"});
  CHECK(words_of(line_with(table, "needs")) ==
        std::vector<std::string>{"needs", "tried", "0.11", "≤", "0.22", "0.33", "≥", "0.44", "✗", "fails"});
}

TEST_CASE("shifted induction is told with each number in its place", "[studies][labels]") {
  interpret::Certificate c;
  c.verdict = interpret::Verdict::another_way;
  c.accuracy = 0.95;
  c.needed = {{{0, 1}, 0.61, "at itself", 0.62}};
  c.shifted_induction =
      interpret::ShiftedInduction{7, {{1, 0}, {1, 2}}, {{0, 1}}, {{0, 2}, {0, 3}}, 0.71, 0.12, 0.83, 0.04};
  const std::string text = studies::certificate_text(c, 500);
  CHECK(contains(text, "L0H1 looks at itself (attention weight 0.62); without it the accuracy is 0.61."));
  CHECK(contains(text,
                 "From a token that occurred before, the best of L1H0, L1H2 gives the token 7 after the "
                 "follower an attention weight of 0.71; without repeats 0.12."));
  CHECK(
      contains(text, "When L0H1 writes to their keys what it writes on other tokens, 83 % of this is lost."));
  CHECK(contains(text, "When L0H2, L0H3 write so to their values, the accuracy is 0.04 instead of 0.95."));
  CHECK(contains(
      text,
      "L1H0, L1H2 look 7 places after what followed the same token before [seen], L0H1 carries that token "
      "there into the keys, and L0H2, L0H3 the answer into the values [tried]."));
}

TEST_CASE("a pattern has queries as rows and keys as columns", "[studies][labels]") {
  const nn::Transformer model = nn::induction_by_hand({.d_vocab = 16, .n_ctx = 16});
  const tasks::Task task = tasks::make_task({.d_vocab = 16, .n_ctx = 16});
  const run::Example example = run::first_example(task, 1);
  const draw::Heatmap map = studies::pattern_map(model, task, example, {0, 0}, "the title");
  CHECK(map.title == "the title");
  REQUIRE(map.weights.shape()[0] == example.tokens.size());
  for (std::size_t query = 1; query < example.tokens.size(); ++query) {
    CHECK(static_cast<double>(map.weights(query, query - 1)) == Approx(1));  // a previous-token head
    CHECK(map.queries[query] == task.vocabulary.text(example.tokens[query]));
    CHECK(map.keys[query] == task.vocabulary.text(example.tokens[query]));
  }
}

TEST_CASE("a pattern of each stack has its own queries and keys", "[studies][labels]") {
  const tasks::Task task =
      tasks::make_task({.name = "reverse", .d_vocab = 12, .n_ctx = 16, .with_source = true});
  const run::Example example = run::first_example(task, 1);
  Rng rng(2);
  const nn::Transformer model({.architecture = nn::Architecture::encoder_decoder,
                               .n_layers = 1,
                               .d_model = 8,
                               .n_heads = 2,
                               .d_vocab = task.config.d_vocab,
                               .n_ctx = task.config.n_ctx,
                               .n_source = example.source.size()},
                              rng);
  const auto texts = [&](const std::vector<std::int32_t>& tokens) {
    std::vector<std::string> all;
    for (const std::int32_t token : tokens) all.push_back(task.vocabulary.text(token));
    return all;
  };
  REQUIRE(example.source != example.tokens);
  const auto run = studies::patterns_of(model, example);
  using interpret::Stack;
  for (const auto& [stack, name, queries, keys] :
       {std::tuple{Stack::self, "blocks.0.attn", example.tokens, example.tokens},
        {Stack::encoder, "encoder.0.attn", example.source, example.source},
        {Stack::cross, "blocks.0.cross_attn", example.tokens, example.source}}) {
    const draw::Heatmap map = studies::pattern_map(model, task, example, {0, 1, stack}, "");
    CHECK(map.queries == texts(queries));
    CHECK(map.keys == texts(keys));
    const Array& pattern = run.cache[std::string(name) + ".hook_pattern"];
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::size_t j = 0; j < keys.size(); ++j) CHECK(map.weights(i, j) == pattern(0, 1, i, j));
  }
}
