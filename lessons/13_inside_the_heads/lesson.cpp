// Lesson 13: why a model says what it says. A model with induction heads, and one with none that is as good.
#include <algorithm>
#include <string>
#include <vector>

#include "headlight/interpret/attribution.h"
#include "headlight/interpret/certificate.h"
#include "headlight/interpret/circuits.h"
#include "headlight/interpret/scores.h"
#include "headlight/interpret/subsets.h"
#include "lesson_program.h"
#include "models.h"
#include "pictures.h"
#include "places.h"
#include "printed.h"

using namespace headlight;
using namespace headlight::lesson;
using namespace headlight::interpret;

// The heads of layer 1 with an induction score of at least 0.5.
HeadSet induction_heads(const Trained& t) {
  HeadSet found;
  for (const HeadScores& s : score_heads(t.model, t.batch))
    if (s.layer == 1 && s[kInduction] >= kFoundScore) found.push_back(s.at());
  return found;
}

// Hooks that switch a head off: its output z becomes 0.
nn::Hooks silenced(const Trained& t, const HeadAt& head) {
  Array keep = Array::from_shape({t.model.config().n_heads, std::size_t{1}});
  keep.fill(1);
  keep(head.head, 0) = 0;
  const std::string name = layer_of(t.model.config(), head).hook("hook_z");  // (B,n,heads,d_head)
  return {{name, [keep = Tensor(keep)](const Tensor& z) { return z * keep; }}};
}

// The accuracy with these heads ablated.
double without(const Trained& t, const HeadSet& heads, Ablation kind) {
  const tasks::Batch& from = kind == Ablation::resample ? t.others : t.batch;
  const ActivationCache instead = outputs_for(kind, t.model, from);
  return accuracy(t, replace_outputs(t.model.config(), heads, instead));
}

void ablation(const Trained& t, const HeadSet& found) {
  section("2. Ablation");
  say("Nothing changed: accuracy {:.2f}. With one head switched off:", accuracy(t));
  say("  head   by our hook   zero   mean   resampled");
  for (const HeadAt& head : all_heads(t.model.config()))
    say("  {:<4}   {:11.2f}   {:.2f}   {:.2f}   {:9.2f}", head_code(head), accuracy(t, silenced(t, head)),
        without(t, {head}, Ablation::zero), without(t, {head}, Ablation::mean),
        without(t, {head}, Ablation::resample));
  say("\nSeveral heads, mean ablation:");
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = i + 1; j < found.size(); ++j)
      say("  {:<18} {:.2f}", codes_of({found[i], found[j]}),
          without(t, {found[i], found[j]}, Ablation::mean));
  say("  {:<18} {:.2f}", codes_of(found), without(t, found, Ablation::mean));
}

// The accuracy when the senders write what they write on other tokens, on their paths to this input of the
// receivers and nowhere else.
double patched(const Trained& t, const HeadSet& senders, const HeadSet& heads, HeadInput input) {
  const ActivationCache other = outputs_of(t.model, t.others);
  const PathPatching paths(t.model, t.batch, other);
  std::vector<Receiver> receivers;
  for (const HeadAt& head : heads) receivers.push_back({head, input});
  return accuracy(paths.run({senders}, receivers).logits, t.batch);
}

// Each head of layer 0 as the sender, and all of them.
std::vector<Patched> paths(const Trained& t, const HeadSet& receivers) {
  std::vector<HeadSet> senders;
  for (const HeadAt& head : heads_of(t.model, 0)) senders.push_back({head});
  senders.push_back(heads_of(t.model, 0));
  const ActivationCache other = outputs_of(t.model, t.others);
  std::vector<Patched> all;
  for (const HeadSet& sender : senders)
    all.push_back({sender, accuracy(t, replace_outputs(t.model.config(), sender, other)),
                   patched(t, sender, receivers, HeadInput::queries),
                   patched(t, sender, receivers, HeadInput::keys),
                   patched(t, sender, receivers, HeadInput::values)});
  return all;
}

// What a head adds to the stream if it looks at a stream x, in rows: x·W_V·W_O, with the norm's constant part
// and factors but without its scale.
Tensor through_ov(const nn::Transformer& model, const HeadAt& head, const Tensor& x) {
  const Factored ov = ov_circuit(model, head);
  return matmul(matmul(x, Tensor(ov.left)), Tensor(ov.right));
}

// The embeddings (V,d), with what heads of layer 0 that look at the token itself add to them.
Tensor after(const nn::Transformer& model, const HeadSet& heads) {
  Tensor x = model.embed.W;
  for (const HeadAt& head : heads) x = x + through_ov(model, head, model.embed.W);
  return x;
}

// (V,V), row: the query's token a, column: the token b that the sender read. The score of `head` for a query
// x_a, and a key that holds what the sender writes of b, 8 places apart and up to the norms' scales:
// x_a · QK · (E_b · OV)ᵀ. x_a is E_a and what the heads `before` add to it.
Array match_matrix(const nn::Transformer& model, const HeadAt& head, const HeadAt& sender,
                   const HeadSet& before) {
  const Factored qk = qk_circuit(model, head, {.distance = 8});
  const Tensor query = matmul(matmul(after(model, before), Tensor(qk.left)), Tensor(qk.right));
  return matmul(query, through_ov(model, sender, model.embed.W), {.transpose_y = true}).array();
}

// (V,V), row: the token that the heads look at, column: the token whose logit rises, up to the norms' scales.
// `before` are as above.
Array copy_matrix(const nn::Transformer& model, const HeadSet& heads, const HeadSet& before) {
  const Tensor x = after(model, before);
  Tensor written;
  for (const HeadAt& head : heads) {
    const Tensor of_head = through_ov(model, head, x);
    written = written.defined() ? written + of_head : of_head;
  }
  const Tensor centred = written - mean(written, {-1}, true);  // as the final norm does
  return matmul(centred * model.ln_final.w, model.unembed.W).array();
}

void weights(const Trained& t, const HeadSet& found, const HeadAt& sender, const Pictures& pictures) {
  section("4. QK and OV circuits");
  const HeadSet others = interpret::without(heads_of(t.model, 0), {sender});
  say("QK: queries of {} tokens, keys from what one head of layer 0 wrote of them.", kTokens);
  say("How many tokens score highest with themselves:");
  say("  keys from      L0H0   L0H1   L0H2   L0H3");
  for (const HeadAt& head : found) {
    std::string line;
    for (const HeadAt& from : heads_of(t.model, 0))
      line += fmt::format("   {:4}", largest_on_diagonal(match_matrix(t.model, head, from, others)));
    say("  {:<10}  {}", head_code(head), line);
  }
  say("\nOV: look at one of {} tokens, write to the logits. How many raise themselves most:", kTokens);
  for (const HeadAt& head : found)
    say("  {:<18} {:2}", head_code(head), largest_on_diagonal(copy_matrix(t.model, {head}, {})));
  say("  {:<18} {:2}", "together", largest_on_diagonal(copy_matrix(t.model, found, {})));
  const Array written = copy_matrix(t.model, found, others);
  say("  {:<18} {:2}   with what {} add", "together", largest_on_diagonal(written), codes_of(others));
  pictures.write("ov.svg", svg_tokens("OV: what the induction heads write", written, "token looked at",
                                      "token whose logit rises"));
}

// What each part of the model adds to the logit of the right answer, and the logit itself.
void attribution(const Trained& t) {
  section("5. Direct logit attribution");
  const std::size_t at = 25;
  const tasks::Batch one = tasks::batch_rows(t.batch, 0, 1);
  const DirectAttribution parts = direct_logit_attribution(t.model, one.tokens, one.targets, true);
  const Array logits = t.model(one.tokens).array();  // (1,n,tokens)
  double mean = 0;
  for (std::size_t v = 0; v < kTokens; ++v) mean += logits(0, at, v) / kTokens;
  print_attribution(one, parts, at, logits(0, at, one.targets(0, at)) - mean);
}

void show_certificate(const Trained& t, ThreadPool& pool) {
  const Certificate c = certify(t.model, t.task, Rng(3), pool, {.snapshots = &t.snapshots});
  print_claims(c.claims);
  say("{}", sentence(c));
}

// 200 sequences of 24 tokens, all different, but the last is the one `apart` places before it. How often, in
// %, is the token that followed it there the most likely next one?
double follows(const nn::Transformer& model, std::size_t apart) {
  const std::size_t count = 200, n = 24;
  IntArray tokens = IntArray::from_shape({count, n});
  Rng rng(21);
  for (std::size_t b = 0; b < count; ++b) {
    const std::vector<std::int32_t> drawn = rng.distinct(n, kTokens);
    for (std::size_t i = 0; i < n; ++i) tokens(b, i) = drawn[i];
    tokens(b, n - 1) = drawn[n - 1 - apart];
  }
  const Array logits = run_with_hooks(model, tokens, {}).array();
  double right = 0;
  for (std::size_t b = 0; b < count; ++b) {
    const Real* of_tokens = &logits(b, n - 1, 0);
    right += std::max_element(of_tokens, of_tokens + kTokens) - of_tokens == tokens(b, n - apart);
  }
  return 100 * right / static_cast<double>(count);
}

void riddle(const Trained& ordinary, const Trained& t, const Pictures& pictures, ThreadPool& pool) {
  section("7. Accuracy 1, and no induction head");
  say("A second model, with 2 heads a layer and relative positions. Accuracy {:.2f}.", accuracy(t));
  print_scores(score_heads(t.model, t.batch));
  pictures.write("riddle.svg", svg_patterns(t, "The heads of the second model"));
  const HeadSet last = heads_of(t.model, 1);
  say("\nMean ablation:");
  for (const HeadAt& head : all_heads(t.model.config()))
    say("  {:<10} {:.2f}", head_code(head), without(t, {head}, Ablation::mean));
  say("  {:<10} {:.2f}", codes_of(last), without(t, last, Ablation::mean));
  say("\nSenders patched into both heads of layer 1:");
  print_paths(paths(t, last));
  const std::vector<double> first = by_place(ordinary), second = by_place(t);
  print_places(first, second);
  pictures.write("places.svg", svg_places(first, second));
  say("\nHow far back layer 0 of the second model looks most:");
  for (const HeadAt& head : heads_of(t.model, 0)) say("  {}  {} back", head_code(head), most_back(t, head));
  pictures.write("shifted_induction.svg", svg_shifted());
  say("\nOne token occurs twice, L places apart. The follower is the most likely next token, in %:");
  const std::vector<std::size_t> apart = {2, 3, 4, 5, 6, 7, 8, 10, 12};
  say("  L             {}", row_of(
                                apart, [](std::size_t L) { return L; }, 0));
  say("  first model   {}", row_of(
                                apart, [&](std::size_t L) { return follows(ordinary.model, L); }, 0));
  say("  second model  {}", row_of(
                                apart, [&](std::size_t L) { return follows(t.model, L); }, 0));
  say("\nThe certificate:");
  show_certificate(t, pool);
}

// Every set of heads is kept once, with all others mean-ablated.
void all_sets(const Trained& t, const Pictures& pictures, ThreadPool& pool) {
  section("8. All sets of heads");
  const Subsets subsets = all_subsets(t.model, t.batch, mean_outputs(t.model, t.batch), pool);
  const SufficientSets found = sufficient_sets(subsets, 0.9);
  say("With all heads the accuracy is {:.2f}, with none {:.2f}. Enough is {:.2f}.",
      subsets.accuracy[subsets.all()], subsets.accuracy[0], subsets.enough(0.9));
  say("{} of {} sets are enough. Those of which no part is enough:", found.sufficient, subsets.size());
  for (const HeadBits set : found.minimal)
    say("  {:.2f}   {}", subsets.accuracy[set], codes_of(subsets.set(set)));
  const std::vector<double> values = shapley_values(subsets.accuracy);
  say("\nWhat each head adds to the accuracy, in the mean over all orders:");
  for (std::size_t i = 0; i < values.size(); ++i)
    say("  {:<4}   {:5.2f}", head_code(subsets.heads[i]), values[i]);
  pictures.write("all_sets.svg", svg_all_sets(subsets, found, values));
}

int main(int argc, char** argv) {
  return run(argc, argv, "13_inside_the_heads", [](const Pictures& pictures) {
    ThreadPool pool;
    say("Lesson 13: inside the heads");
    section("1. A pattern is not a reason");
    const Trained t = trained({.positions = "rotary", .n_heads = 4, .seed = 2, .steps = 600}, pool);
    say("A model of two layers with 4 heads each. Accuracy on predictable tokens: {:.2f}.", accuracy(t));
    print_scores(score_heads(t.model, t.batch));
    pictures.write("heads.svg",
                   svg_patterns(t, "The heads of the first model, on a segment of 10 tokens that repeats"));
    const HeadSet found = induction_heads(t);
    ablation(t, found);
    section("3. Path patching");
    say("What a head of layer 0 writes is replaced by what it writes on other tokens. Accuracy:");
    const std::vector<Patched> rows = paths(t, found);
    print_paths(rows);
    pictures.write("paths.svg", svg_paths(rows, accuracy(t), codes_of(found)));
    const HeadAt sender = best_head(score_heads(t.model, t.batch), kPreviousToken).at();
    weights(t, found, sender, pictures);
    attribution(t);
    section("6. The certificate");
    show_certificate(t, pool);
    const Trained other = trained({.positions = "relative", .n_heads = 2, .seed = 0, .steps = 800}, pool);
    riddle(t, other, pictures, pool);
    all_sets(t, pictures, pool);
  });
}
