// The certificate on models whose circuit is known.
#include "headlight/interpret/certificate.h"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <set>

#include "catch.h"
#include "headlight/interpret/repeated_sequences.h"
#include "headlight/nn/by_hand.h"
#include "headlight/train/evaluate.h"

using namespace headlight;
using namespace headlight::interpret;
using nn::Broken;

namespace {

constexpr std::size_t kSize = 32;  // of vocabulary and context

tasks::Task known_task(bool one_period = false) {
  tasks::TaskConfig sizes{.d_vocab = kSize, .n_ctx = kSize};
  if (one_period) sizes.min_segment = sizes.max_segment = kSize * 3 / 8;
  return tasks::make_task(sizes);
}

Certificate certified(Broken broken, int threads = 2) {
  ThreadPool pool(threads);
  return certify(nn::induction_by_hand({.d_vocab = kSize, .n_ctx = kSize, .broken = broken}),
                 known_task(broken == Broken::position_only), Rng(3), pool, {.sequences = 8});
}

// The keys of the claims with this standing.
std::vector<std::string> claims_that(const Certificate& c, Standing standing) {
  std::vector<std::string> keys;
  for (const Claim& claim : c.claims)
    if (claim.standing == standing) keys.push_back(claim.key);
  return keys;
}

using Keys = std::vector<std::string>;

// Layer 0 has a previous-token head and a head that looks at earlier copies; layer 1 finds followers by what
// either wrote, the one into its keys, the other into its queries.
nn::Transformer with_two_paths() {
  nn::InductionByHand options{.d_vocab = kSize, .n_ctx = kSize, .n_heads = 2};
  nn::Transformer model = nn::induction_by_hand(options);
  options.broken = Broken::through_queries;
  const nn::Transformer other = nn::induction_by_hand(options);
  const std::size_t width = 2 * kSize;  // of a head
  const auto add = [&](Tensor& to, const Tensor& from, double factor, std::size_t shift, bool rows) {
    Array& sum = to.mutable_array();
    const Array& more = from.array();
    for (std::size_t i = 0; i < more.shape()[0]; ++i)
      for (std::size_t j = 0; j < more.shape()[1]; ++j)
        if ((rows ? i : j) < width)
          sum(i + (rows ? shift : 0), j + (rows ? 0 : shift)) += static_cast<Real>(factor) * more(i, j);
  };
  nn::MultiHeadAttention &first = model.blocks[0].attn, &second = model.blocks[1].attn;
  const nn::MultiHeadAttention &copies = other.blocks[0].attn, &pointed = other.blocks[1].attn;
  add(first.W_Q, copies.W_Q, 1, width, false);
  add(first.W_K, copies.W_K, 1, width, false);
  add(first.W_V, copies.W_V, 1, width, false);
  add(first.W_O, copies.W_O, 1, width, true);
  add(second.W_Q, pointed.W_Q, 1.0 / kSize, 0, false);  // no path outweighs the other
  add(second.W_K, pointed.W_K, 1, 0, false);
  return model;
}

}  // namespace

TEST_CASE("an exact induction circuit holds every claim that can be asked", "[interpret][certificate]") {
  const Certificate c = certified(Broken::nothing);
  CHECK(c.verdict == Verdict::circuit);
  CHECK(c.induction_heads == HeadSet{{1, 0}});
  CHECK(c.previous_token_heads == HeadSet{{0, 0}});
  CHECK(c.helpers.empty());
  CHECK(c.through == HeadInputs{HeadInput::keys});
  CHECK(claims_that(c, Standing::fails).empty());
  CHECK(claims_that(c, Standing::not_asked) == Keys{kOrder});
  CHECK(*c.claim(kMatching).number == Approx(1).margin(1e-4));
  CHECK(*c.claim(kCopying).number == 1);
  CHECK(c.by_keys > 0.9);
  CHECK(c.by_queries == Approx(0).margin(1e-4));
  CHECK(*c.claim(kComposition).control == Approx(0).margin(1e-4));
  CHECK(*c.claim(kSufficiency).number == 1);
  CHECK(*c.claim(kNecessity).number < 0.25);
  CHECK(*c.claim(kNecessity).control == 1);
  CHECK(contains(
      sentence(c),
      "L1H0 looks at what followed the same token before, and finds it by what L0H0 writes into its keys."));
}

TEST_CASE("a circuit of all heads says that none was ablated", "[interpret][certificate]") {
  const std::string all = " These are all heads of the model, so none was ablated.";
  ThreadPool pool(2);
  const auto says = [&](std::size_t n_heads) {
    const auto model = nn::induction_by_hand({.d_vocab = kSize, .n_ctx = kSize, .n_heads = n_heads});
    return certify(model, known_task(), Rng(3), pool, {.sequences = 8}).claim(kSufficiency).says;
  };
  CHECK(contains(says(1), all));
  CHECK_FALSE(contains(says(2), all));
}

TEST_CASE("each broken ingredient fails at its own claim and at no other", "[interpret][certificate][long]") {
  const Certificate copying = certified(Broken::copying);
  CHECK(claims_that(copying, Standing::fails) == Keys{kCopying});
  CHECK(copying.verdict == Verdict::unsolved);
  const Certificate matching = certified(Broken::matching);
  CHECK(claims_that(matching, Standing::fails) == Keys{kMatching});
  CHECK(matching.induction_heads == HeadSet{{1, 0}});  // examined, because it copies best
  CHECK(matching.verdict == Verdict::unsolved);
  const Certificate position = certified(Broken::position_only);
  CHECK(position.distances == std::pair(kSize * 3 / 8, kSize * 3 / 8));  // its one period
  CHECK(claims_that(position, Standing::fails) == Keys{kMatching});
  CHECK(position.verdict == Verdict::another_way);
  REQUIRE(position.needed.size() == 1);
  CHECK(position.needed[0].looks == "11 tokens back");
  CHECK_FALSE(position.shifted_induction);
  const Certificate queries = certified(Broken::through_queries);
  CHECK(claims_that(queries, Standing::fails).empty());
  CHECK(queries.through == HeadInputs{HeadInput::queries});
  CHECK(queries.by_keys == Approx(0).margin(1e-4));
  CHECK(queries.by_queries > 0.9);
  CHECK(contains(sentence(queries), "finds it by what L0H0 writes into its queries."));
  const std::string& composed = queries.claim(kComposition).says;
  CHECK(contains(composed,
                 "A test exchanges what L0H0 writes into the queries of L1H0 for what it writes on sequences "
                 "without repeats: 100 % of the matching is lost."));
  CHECK(contains(queries.claim(kComposition).more, "The test in the keys instead loses nothing. "));
}

TEST_CASE("of two complete paths each is enough, and both are found", "[interpret][certificate]") {
  ThreadPool pool(2);
  const nn::Transformer model = with_two_paths();
  const Certificate c = certify(model, known_task(), Rng(3), pool, {.sequences = 8});
  CHECK(c.verdict == Verdict::circuit);
  CHECK(c.through == HeadInputs{HeadInput::keys, HeadInput::queries});
  CHECK(std::set<std::string>{"L0H0", "L0H1"} ==
        std::set<std::string>{head_code(c.previous_token_heads.at(0)),
                              head_code(c.previous_token_heads.at(1))});
  CHECK(c.by_keys < 0.7);
  CHECK(c.by_queries < 0.7);
  CHECK(*c.claim(kComposition).number > 0.9);
  CHECK(contains(sentence(c), "into its keys and its queries; one path can replace the other."));
  const Rng draw = Rng(3).stream("certificate, test");
  const RepeatedSequences own = *own_repeats(known_task(), 8, draw);
  const tasks::Batch many = own_repeats(known_task(), 256, draw.stream("means"))->repeated;
  const auto weight = [&](const IntArray& tokens, const nn::Hooks& hooks) {
    const auto cache = run_with_cache(model, tokens, {}, hooks).cache;
    return weight_on_followers(own, cache, model.config(), {{1, 0}})[0];
  };
  const double intact = weight(own.repeated.tokens, {}), chance = weight(own.control.tokens, {});
  const auto lost = [&](const HeadSet& senders, const HeadInputs& inputs, bool mean) {
    const auto written = mean ? mean_outputs(model, many) : outputs_of(model, own.control);
    const PathPatching paths(model, own.repeated, written);
    std::vector<Receiver> receivers;
    for (const HeadInput input : inputs) receivers.push_back({{1, 0}, input});
    const ActivationCache streams = paths.streams({senders});
    return (intact - weight(own.repeated.tokens, paths.into(receivers, false, streams))) / (intact - chance);
  };
  const HeadSet& senders = c.previous_token_heads;
  const auto percent = [&](const HeadSet& heads, const HeadInputs& inputs, bool mean = false) {
    const long share = std::lround(100 * lost(heads, inputs, mean));
    return share > 0 ? fmt::format("{} %", share) : "nothing";
  };
  CHECK(c.by_keys == Approx(lost(senders, {HeadInput::keys}, false)).epsilon(1e-4));
  CHECK(c.by_queries == Approx(lost(senders, {HeadInput::queries}, false)).epsilon(1e-4));
  CHECK(c.by_removal == Approx(lost(senders, c.through, true)).epsilon(1e-4));
  CHECK(*c.claim(kComposition).number == Approx(lost(senders, c.through, false)).epsilon(1e-4));
  CHECK(c.claim(kComposition).says ==
        fmt::format(
            "A test exchanges what {} write into the keys and the queries of L1H0 for what they write on "
            "sequences without repeats: {} of the matching is lost.",
            codes_of(senders), percent(senders, c.through)));
  CHECK(c.claim(kComposition).more ==
        fmt::format(
            "For one head at a time the losses are {} {}, {} {}. The test in the keys alone loses {}. "
            "The test in the queries alone loses nothing. Removing what they write, so that only its mean "
            "is left, loses {}: it does not mislead, as the exchange does.",
            head_code(senders[0]), percent({senders[0]}, c.through), head_code(senders[1]),
            percent({senders[1]}, c.through), percent(senders, {HeadInput::keys}),
            percent(senders, c.through, true)));
}

TEST_CASE("where answers are no followers, the accuracy is still that on the task",
          "[interpret][certificate]") {
  tasks::TaskConfig sizes{.name = "reverse", .d_vocab = kSize, .n_ctx = kSize};
  ThreadPool pool(2);
  const tasks::Task task = tasks::make_task(sizes);
  const nn::Transformer model = nn::induction_by_hand({.d_vocab = task.config.d_vocab, .n_ctx = kSize});
  const Certificate c = certify(model, task, Rng(3), pool, {.sequences = 8});
  const tasks::Batch batch = tasks::draw_batch(task, task.training, 64, Rng(9));
  CHECK(c.accuracy == Approx(*train::evaluate(model, batch, pool).accuracy_predictable).margin(0.05));
  CHECK(c.verdict == Verdict::unsolved);
}

TEST_CASE("no heads are searched that help with a task which the model does not solve",
          "[interpret][certificate]") {
  const tasks::Task task = tasks::make_task({.name = "repeat", .d_vocab = kSize, .n_ctx = kSize});
  ThreadPool pool(2);
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    Rng rng(seed);
    const nn::Transformer model(
        {.n_layers = 2, .d_model = 8, .n_heads = 4, .d_vocab = task.config.d_vocab, .n_ctx = kSize}, rng);
    const Certificate c = certify(model, task, Rng(3), pool, {.sequences = 8});
    CHECK(c.accuracy > 0);
    CHECK(c.helpers.empty());
  }
}

TEST_CASE("a certificate is the same on any number of threads", "[interpret][certificate][long]") {
  const Certificate one = certified(Broken::nothing, 1), three = certified(Broken::nothing, 3);
  for (std::size_t i = 0; i < one.claims.size(); ++i) {
    CHECK(one.claims[i].number == three.claims[i].number);
    CHECK(one.claims[i].control == three.claims[i].control);
    CHECK(one.claims[i].says == three.claims[i].says);
  }
}

TEST_CASE("random repeats hold what they say", "[interpret][certificate]") {
  tasks::Task task = known_task();
  task.special = {0, 5};
  const RepeatedSequences repeats = random_repeats(task, 20, Rng(1));
  const IntArray& tokens = repeats.repeated.tokens;
  std::set<std::size_t> distances;
  std::set<std::pair<std::size_t, std::size_t>> queries;
  for (const Follower& f : repeats.followers) {
    CHECK(tokens(f.sequence, f.key - 1) == tokens(f.sequence, f.query));
    CHECK(tokens(f.sequence, f.key) == repeats.repeated.targets(f.sequence, f.query));
    CHECK(f.key <= f.query);
    CHECK(repeats.repeated.predictable(f.sequence, f.query));
    distances.insert(f.query - f.key);
    queries.insert({f.sequence, f.query});
  }
  CHECK(queries.size() == repeats.queries);
  CHECK(distances.size() > 8);  // no distance is right for all
  for (const IntArray* all : {&tokens, &repeats.control.tokens})
    for (const std::int32_t token : *all) CHECK((token != 0 && token != 5));
  for (std::size_t b = 0; b < 20; ++b) {
    std::map<std::int32_t, int> counts;
    for (std::size_t i = 0; i < kSize; ++i) ++counts[repeats.control.tokens(b, i)];
    for (const auto& [token, count] : counts) CHECK(count <= 2);  // 30 tokens for 32 places
  }
  task.config.n_ctx = 8;
  CHECK(contains(error_of([&] { random_repeats(task, 1, Rng(1)); }),
                 "[repeats] expected a context of at least 16"));
}

TEST_CASE("the weight on followers is a mean over queries of sums over keys", "[interpret][certificate]") {
  const tasks::Task task = known_task();
  const RepeatedSequences repeats = random_repeats(task, 3, Rng(2)), later = moved(repeats, 2);
  Rng rng(4);
  ActivationCache patterns;
  patterns.put("blocks.1.attn.hook_pattern", rng.uniform_array({3, 2, kSize, kSize}));
  const nn::TransformerConfig config{.n_layers = 2, .n_heads = 2};
  for (const auto& [asked, by] : {std::pair{&repeats, 0}, {&later, 2}}) {
    double sum = 0;
    std::set<std::pair<std::size_t, std::size_t>> queries;
    for (const Follower& f : repeats.followers) {
      const std::size_t key = f.key + static_cast<std::size_t>(by);
      if (key > f.query) continue;
      queries.insert({f.sequence, f.query});
      sum += static_cast<double>(patterns["blocks.1.attn.hook_pattern"](f.sequence, 1, f.query, key));
    }
    CHECK(weight_on_followers(*asked, patterns, config, {{1, 1}})[0] ==
          Approx(sum / static_cast<double>(queries.size())));
  }
}

TEST_CASE("an encoder has no certificate, nor has a vocabulary without room for repeats",
          "[interpret][certificate]") {
  Rng rng(1);
  ThreadPool pool(1);
  const nn::Transformer encoder({.architecture = nn::Architecture::encoder, .d_vocab = kSize, .n_ctx = kSize},
                                rng);
  CHECK(contains(error_of([&] { certify(encoder, known_task(), rng, pool); }), "expected a decoder"));
  CHECK_FALSE(can_be_certified(encoder.config(), known_task()));
  CHECK(can_be_certified({}, known_task()));
  CHECK_FALSE(can_be_certified({}, tasks::make_task({.d_vocab = 12, .n_ctx = 12})));
}

TEST_CASE("a claim is asked for by its key", "[interpret][certificate]") {
  const Certificate c = certified(Broken::copying);
  CHECK(c.claim(kOrder).says == "Nothing was kept along training.");
  CHECK(contains(error_of([&] { (void)c.claim("coyping"); }), "no claim 'coyping'. Did you mean 'copying'?"));
}

TEST_CASE("a certificate has no numbers of weights that are too large", "[interpret][certificate]") {
  const nn::Transformer model = nn::induction_by_hand({.d_vocab = kSize, .n_ctx = kSize});
  std::vector<train::Snapshot> snapshots(2, {0, train::weights_of(model)});
  snapshots[1].step = 1;
  Array& embedded = snapshots[0].weights.at("embed.W_E");
  std::fill(embedded.begin(), embedded.end(), std::numeric_limits<Real>::max());
  ThreadPool pool(1);
  CHECK(contains(error_of([&] {
                   certify(model, known_task(), Rng(3), pool, {.sequences = 8, .snapshots = &snapshots});
                 }),
                 "the parameters of step 0 are too large: the model's logits are not finite."));
}
