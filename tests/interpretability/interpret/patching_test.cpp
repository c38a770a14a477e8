// Patching against a forward pass in simple loops, and with itself where two ways must agree.
#include "headlight/interpret/patching.h"

#include "interpret/plain_forward.h"
#include "interpret/subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

constexpr std::size_t kSequences = 2, kTokens = 7;

tasks::Batch drawn_batch(std::uint64_t seed) {
  Rng rng(seed);
  tasks::Batch batch{IntArray::from_shape({kSequences, kTokens}), IntArray::from_shape({kSequences, kTokens}),
                     BoolArray({kSequences, kTokens}, true), IntArray::from_shape({0})};
  for (IntArray* tokens : {&batch.tokens, &batch.targets})
    for (std::int32_t& token : *tokens) token = static_cast<std::int32_t>(rng.below(9));
  return batch;
}

Plain plain_of(const nn::Transformer& model, const tasks::Batch& batch, std::size_t b,
               const PlainEdits& edits = {}) {
  return plain_forward(model, plain_tokens(batch.tokens, b), edits);
}

bool everything(const std::string&) { return true; }

const auto is_output = [](const std::string& name) {
  return name.ends_with("attn.hook_z") || name.ends_with("hook_mlp_out");
};

// The logits of a run in which one head's input in layer 1 is what it would be if `sender` of layer 0 wrote
// what it writes in `other`, all other heads (and, unless they pass changes on, MLPs) being held.
PlainTable plain_path(const nn::Transformer& model, const tasks::Batch& clean, const tasks::Batch& other,
                      std::size_t b, std::size_t sender, const Receiver& receiver, bool through_mlps) {
  const Plain run = plain_of(model, clean, b), from = plain_of(model, other, b);
  const Plain sent = plain_of(
      model, clean, b,
      {.z = [&](std::size_t layer, std::size_t head,
                PlainTable& z) { z = layer == 0 && head == sender ? from.z[0][sender] : run.z[layer][head]; },
       .mlp_out =
           [&](std::size_t layer, PlainTable& x) {
             if (!through_mlps) x = run.mlp_out[layer];
           }});
  const auto& c = model.config();
  const std::size_t shared = c.n_kv_heads > 0 ? c.n_heads / c.n_kv_heads : 1;
  const auto input = [&](std::size_t own) {
    return [&, own](std::size_t layer, std::size_t head, PlainTable& x) {
      if (layer == 1 && head == own) x = sent.resid_pre[1];
    };
  };
  PlainEdits edits;
  if (receiver.input == HeadInput::queries) edits.q_input = input(receiver.head.head);
  if (receiver.input == HeadInput::keys) edits.k_input = input(receiver.head.head / shared);
  if (receiver.input == HeadInput::values) edits.v_input = input(receiver.head.head / shared);
  return plain_of(model, clean, b, edits).logits;
}

}  // namespace

TEST_CASE("a path is that of the simple loops, for every kind of model", "[interpret][patching]") {
  const tasks::Batch clean = drawn_batch(1), other = drawn_batch(2);
  for (const KnownModel& subject : subjects()) {
    const nn::TransformerConfig& c = subject.config;
    if (c.architecture == nn::Architecture::encoder_decoder) continue;
    INFO(subject.name);
    const nn::Transformer model = subject_model(c);
    const ActivationCache outputs = run_with_cache(model, other.tokens, is_output).cache;
    for (const Through through : {Through::residual_stream, Through::mlps}) {
      if (through == Through::mlps && c.d_mlp == 0) continue;
      const PathPatching paths(model, clean, outputs, through);
      for (const auto& input : head_inputs().entries()) {
        const Receiver receiver{{1, c.n_heads - 1}, input.thing};
        INFO(receiver_code(receiver));
        const CachedRun run = paths.run({{{0, 1}}}, {receiver});
        for (std::size_t b = 0; b < kSequences; ++b)
          CHECK(plain_difference(plain_path(model, clean, other, b, 1, receiver, through == Through::mlps),
                                 plain_rows(run.logits, b)) < kPlain);
      }
    }
  }
}

// In two layers every way of a change from layer 0 leads into an input of layer 1, or to the logits.
TEST_CASE("all paths together are activation patching", "[interpret][patching]") {
  const tasks::Batch clean = drawn_batch(1), other = drawn_batch(2);
  for (const std::size_t index : {0, 2, 3, 5, 6, 7}) {
    const KnownModel subject = subjects()[index];
    INFO(subject.name);
    const nn::Transformer model = subject_model(subject.config);
    const ActivationCache outputs = outputs_of(model, other);
    const PathPatching paths(model, clean, outputs);
    std::vector<Receiver> receivers;
    for (std::size_t head = 0; head < subject.config.n_heads; ++head)
      for (const auto& input : head_inputs().entries()) receivers.push_back({{1, head}, input.thing});
    const CachedRun by_paths = paths.run({{{0, 1}}}, receivers, true);
    const Tensor whole =
        run_with_hooks(model, clean.tokens, replace_outputs(subject.config, {{0, 1}}, outputs));
    CHECK(difference(whole.array(), by_paths.logits) < kPlain);
    const CachedRun without_direct = paths.run({{{0, 1}}}, receivers);
    CHECK(difference(whole.array(), without_direct.logits) > 100 * kPlain);
  }
}

TEST_CASE("an MLP sends, and a path to itself or back does not exist", "[interpret][patching]") {
  const tasks::Batch clean = drawn_batch(1), other = drawn_batch(2);
  const nn::Transformer model = subject_model(subjects()[4].config);  // with MLPs
  const ActivationCache outputs = run_with_cache(model, other.tokens, is_output).cache;
  const PathPatching paths(model, clean, outputs);
  const Receiver receiver{{1, 0}, HeadInput::keys};
  const CachedRun run = paths.run({{}, {0}}, {receiver});
  for (std::size_t b = 0; b < kSequences; ++b) {
    const Plain here = plain_of(model, clean, b), there = plain_of(model, other, b);
    const Plain sent = plain_of(
        model, clean, b,
        {.z = [&](auto layer, auto head, PlainTable& z) { z = here.z[layer][head]; },
         .mlp_out = [&](auto layer,
                        PlainTable& x) { x = layer == 0 ? there.mlp_out[0] : here.mlp_out[layer]; }});
    const Plain expected = plain_of(model, clean, b, {.k_input = [&](auto layer, auto head, PlainTable& x) {
                                      if (layer == 1 && head == 0) x = sent.resid_pre[1];
                                    }});
    CHECK(plain_difference(expected.logits, plain_rows(run.logits, b)) < kPlain);
  }
  const Array same = run_with_hooks(model, clean.tokens, {}).array();
  CHECK(difference(paths.run({{{1, 1}}}, {receiver}).logits, same) < kPlain);
  CHECK(difference(paths.run({{{0, 0}}}, {{{0, 1}, HeadInput::keys}}).logits, same) < kPlain);
}

TEST_CASE("an activation is patched at the asked positions", "[interpret][patching]") {
  const tasks::Batch clean = drawn_batch(1), corrupted = drawn_batch(2);
  const nn::Transformer model = subject_model(subjects()[0].config);
  const CachedRun run = run_with_cache(model, clean.tokens, everything);
  const nn::Hooks hooks = patch_activation("blocks.1.hook_resid_pre", run.cache, {3});
  const Array logits = run_with_hooks(model, corrupted.tokens, hooks).array();
  for (std::size_t b = 0; b < kSequences; ++b) {
    const Plain whole = plain_of(model, clean, b);
    const Plain mixed = plain_of(model, corrupted, b, {.resid_pre = [&](std::size_t layer, PlainTable& x) {
                                   if (layer == 1) x[3] = whole.resid_pre[1][3];
                                 }});
    CHECK(plain_difference(mixed.logits, plain_rows(logits, b)) < kPlain);
  }
  CHECK(contains(error_of([&] { patch_activation("blocks.2.hook_resid_pre", run.cache); }), "no activation"));
}

TEST_CASE("what is restored is the patched run's part of the way to the clean run", "[interpret][patching]") {
  const nn::Transformer model = subject_model(subjects()[0].config);
  ThreadPool pool(2);
  const tasks::Batch clean = drawn_batch(1);
  tasks::Batch corrupted = drawn_batch(2);
  const auto lead = [&](const Array& logits) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t b = 0; b < kSequences; ++b)
      for (std::size_t i = 0; i < kTokens; ++i) {
        const std::int32_t a = clean.targets(b, i), c = corrupted.targets(b, i);
        if (a == c) continue;
        sum += static_cast<double>(logits(b, i, a) - logits(b, i, c));
        ++count;
      }
    return sum / static_cast<double>(count);
  };
  const auto lead_of = [&](const tasks::Batch& batch, const nn::Hooks& hooks) {
    return lead(run_with_hooks(model, batch.tokens, hooks).array());
  };
  // An untrained model may prefer the wrong targets; then there is nothing to restore.
  for (std::uint64_t seed = 2; lead_of(clean, {}) < lead_of(corrupted, {}) + 0.1; ++seed)
    corrupted = drawn_batch(seed);
  const PatchMatrix streams = patch_streams(model, clean, corrupted, pool),
                    heads = patch_heads(model, clean, corrupted, pool);
  REQUIRE(streams.restored.size() == 2);
  REQUIRE(heads.restored.size() == 4);
  const CachedRun run = run_with_cache(model, clean.tokens, everything);
  const double none = lead_of(corrupted, {}), whole = lead_of(clean, {});
  const auto part = [&](const nn::Hooks& hooks) {
    return (lead_of(corrupted, hooks) - none) / (whole - none);
  };
  for (std::size_t i = 0; i < kTokens; ++i)
    CHECK(streams.restored[1][i] ==
          Approx(part(patch_activation("blocks.1.hook_resid_pre", run.cache, {i}))).margin(1e-4));
  CHECK(part(patch_activation("blocks.1.hook_resid_pre", run.cache)) == Approx(1).margin(1e-4));
  CHECK(heads.hooks[3] == "L1H1");
  CHECK(heads.restored[3][0] ==
        Approx(part(replace_outputs(model.config(), {{1, 1}}, run.cache))).margin(1e-4));
  CHECK(contains(error_of([&] { patch_heads(model, clean, clean, pool); }),
                 "no position is predictable in both"));
}

TEST_CASE("the matrix of paths holds what each path does", "[interpret][patching]") {
  const tasks::Batch clean = drawn_batch(1), other = drawn_batch(2);
  ThreadPool pool(2);
  const nn::Transformer model = subject_model(subjects()[1].config);  // three layers
  const ActivationCache outputs = outputs_of(model, other);
  const PathPatching paths(model, clean, outputs);
  const PathMatrix matrix = path_matrix(paths, model, clean, pool);
  REQUIRE(matrix.senders.size() == 6);
  REQUIRE(matrix.receivers.size() == 18);
  const double intact = *train::evaluate(model, clean, nn::Hooks()).loss_predictable;
  for (const auto& [s, r] : {std::pair{0, 6}, {1, 17}, {2, 13}}) {
    const auto sender = matrix.senders[static_cast<std::size_t>(s)];
    const auto receiver = matrix.receivers[static_cast<std::size_t>(r)];
    const Array logits = paths.run({{sender}}, {receiver}).logits;
    CHECK(matrix.rises[static_cast<std::size_t>(s)][static_cast<std::size_t>(r)] ==
          Approx(*train::evaluate(logits, clean).loss_predictable - intact).margin(kPlain));
  }
  CHECK(matrix.rises[2][6] == 0);  // L1H0 to L1H0.q
  CHECK(matrix.to_logits[5] ==
        Approx(*train::evaluate(paths.run({{{2, 1}}}, {}, true).logits, clean).loss_predictable - intact)
            .margin(kPlain));
}

TEST_CASE("renamed tokens repeat where the others did, and special ones keep their names",
          "[interpret][patching]") {
  const tasks::Batch batch = drawn_batch(3);
  const tasks::Batch other = renamed(batch, 9, {0, 4}, Rng(1));
  std::vector<std::int32_t> to(9, -1);
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    const std::int32_t from = batch.tokens.data()[i], name = other.tokens.data()[i];
    CHECK((from == 0 || from == 4) == (from == name));
    std::int32_t& known = to[static_cast<std::size_t>(from)];
    CHECK((known == -1 || known == name));
    known = name;
  }
  std::erase(to, -1);
  std::sort(to.begin(), to.end());
  CHECK(std::adjacent_find(to.begin(), to.end()) == to.end());  // one-to-one
  CHECK(contains(error_of([&] { renamed(batch, 3, {0, 1}, Rng(1)); }), "expected at least 2 tokens"));
}

TEST_CASE("an encoder–decoder has no single stream to patch", "[interpret][patching]") {
  const nn::Transformer model = subject_model(subjects().back().config);
  const ActivationCache nothing;
  CHECK(contains(error_of([&] { PathPatching(model, drawn_batch(1), nothing); }), "got an encoder–decoder"));
}
