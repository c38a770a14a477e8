// Lesson 13: why a model says what it says. A model with induction heads, and one with none that is as good.
#include <algorithm>
#include <string>
#include <vector>

#include "circuits_of.h"
#include "headlight/interpret/attribution.h"
#include "headlight/interpret/certificate.h"
#include "headlight/interpret/scores.h"
#include "lesson_program.h"
#include "models.h"
#include "pictures.h"
#include "places.h"

using namespace headlight;
using namespace headlight::lesson;
using namespace headlight::interpret;

void patterns(const Trained& t, const Pictures& pictures, const char* file, const char* title) {
  const std::vector<HeadScores> scores = score_heads(t.model, t.batch);
  say("  head   previous-token score   induction score");
  for (const HeadScores& s : scores)
    say("  {:<4}   {:20.2f}   {:15.2f}", head_code(s.at()), s[kPreviousToken], s[kInduction]);
  pictures.write(file, svg_patterns(t, title));
}

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

// A line for each head of layer 0, and one for all of them.
draw::SignedMap paths(const Trained& t, const HeadSet& receivers) {
  std::vector<HeadSet> senders;
  for (const HeadAt& head : heads_of(t.model, 0)) senders.push_back({head});
  senders.push_back(heads_of(t.model, 0));
  const ActivationCache other = outputs_of(t.model, t.others);
  draw::SignedMap lost = path_map(codes_of(receivers));
  say("  sender           everywhere   into queries   into keys   into values");
  for (const HeadSet& sender : senders) {
    const std::string name = sender.size() > 1 ? "all of layer 0" : codes_of(sender);
    const double everywhere = accuracy(t, replace_outputs(t.model.config(), sender, other));
    std::vector<std::optional<double>> row;
    for (const HeadInput input : {HeadInput::queries, HeadInput::keys, HeadInput::values})
      row.push_back(patched(t, sender, receivers, input));
    say("  {:<14}   {:10.2f}   {:12.2f}   {:9.2f}   {:11.2f}", name, everywhere, *row[0], *row[1], *row[2]);
    for (auto& each : row) each = std::max(0.0, accuracy(t) - *each);
    lost.rows.push_back(sender.size() > 1 ? "all" : name), lost.values.push_back(row);
  }
  return lost;
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
      line += fmt::format("   {:4}", matched(match_matrix(t.model, head, from, others)));
    say("  {:<10}  {}", head_code(head), line);
  }
  say("\nOV: look at one of {} tokens, write to the logits. How many raise themselves most:", kTokens);
  for (const HeadAt& head : found)
    say("  {:<18} {:2}", head_code(head), matched(copy_matrix(t.model, {head}, {})));
  say("  {:<18} {:2}", "together", matched(copy_matrix(t.model, found, {})));
  const Array written = copy_matrix(t.model, found, others);
  say("  {:<18} {:2}   with what {} add", "together", matched(written), codes_of(others));
  pictures.write("ov.svg", svg_tokens("OV: what the induction heads write", written, "token looked at",
                                      "token whose logit rises"));
}

void attribution(const Trained& t) {
  section("5. Direct logit attribution");
  const std::size_t at = 25;
  const tasks::Batch one = tasks::batch_rows(t.batch, 0, 1);
  const DirectAttribution parts = direct_logit_attribution(t.model, one.tokens, one.targets, true);
  std::string read;
  for (std::size_t i = 0; i <= at; ++i) read += fmt::format(" {}", one.tokens(0, i));
  say("The model reads\n {}\nand must say {}. Its logit above the mean of all logits:", read,
      one.targets(0, at));
  double sum = 0;
  for (std::size_t s = 0; s < parts.sources.size(); ++s) {
    const std::string& source = parts.sources[s].name;
    const std::string name = source == "embed" ? "embedding" : source == "ln_final.b" ? "final norm" : source;
    const double value = parts.values(s, 0, at);
    say("  {:<12} {:6.2f}", name, value);
    sum += value;
  }
  const Array logits = t.model(one.tokens).array();  // (1,n,tokens)
  double mean = 0;
  for (std::size_t v = 0; v < kTokens; ++v) mean += logits(0, at, v) / kTokens;
  say("  {:<12} {:6.2f}", "their sum", sum);
  say("  {:<12} {:6.2f}", "the model's", logits(0, at, one.targets(0, at)) - mean);
}

void show_certificate(const Trained& t, ThreadPool& pool) {
  const Certificate c = certify(t.model, t.task, Rng(3), pool, {.snapshots = &t.snapshots});
  say("  claim         number   needed    control   allowed   verdict");
  for (const Claim& claim : c.claims) {
    if (!claim.number) {
      say("  {:<12}       -   -               -   -         not asked", claim.key);
      continue;
    }
    const bool steps = claim.key == kOrder;
    const std::string number = fmt::format("{:.{}f}", *claim.number, steps ? 0 : 2),
                      needed = fmt::format("{} {:.{}f}", claim.number_at_most ? "≤" : "≥", claim.threshold,
                                           steps ? 0 : 2),
                      control = claim.control ? fmt::format("{:.2f}", *claim.control) : "-",
                      allowed = !claim.control ? "-"
                                               : fmt::format("{} {:.2f}", claim.control_at_most ? "≤" : "≥",
                                                             claim.control_limit);
    say("  {:<12}  {:>6}   {:<6}    {:>7}   {:<7}   {}", claim.key, number, needed, control, allowed,
        to_string(claim.standing));
  }
  say("{}", sentence(c));
}

void riddle(const Trained& ordinary, const Trained& t, const Pictures& pictures, ThreadPool& pool) {
  section("7. Accuracy 1, and no induction head");
  say("A second model, with 2 heads a layer and relative positions. Accuracy {:.2f}.", accuracy(t));
  patterns(t, pictures, "riddle.svg", "The heads of the second model");
  const HeadSet heads = all_heads(t.model.config()), last = heads_of(t.model, 1);
  say("\nMean ablation:");
  for (const HeadAt& head : heads)
    say("  {:<10} {:.2f}", head_code(head), without(t, {head}, Ablation::mean));
  say("  {:<10} {:.2f}", codes_of(last), without(t, last, Ablation::mean));
  say("\nSenders patched into both heads of layer 1:");
  paths(t, last);
  say("\nThe weight on the token so many places after the follower, the best head of layer 1:");
  say("  places        {}", row_of({0, 1, 2, 3, 4, 5, 6, 7}, 0));
  const std::vector<double> first = by_place(ordinary), second = by_place(t);
  say("  first model   {}", row_of(first, 2));
  say("  second model  {}", row_of(second, 2));
  pictures.write("places.svg", svg_places(first, second));
  say("\nHow far back layer 0 of the second model looks most:");
  for (const HeadAt& head : heads_of(t.model, 0)) say("  {}  {} back", head_code(head), most_back(t, head));
  pictures.write("shifted_induction.svg", svg_shifted());
  say("\nOne token occurs twice, L places apart. The follower is the most likely next token, in %:");
  say("  L             {}", row_of(kApart, 0));
  say("  first model   {}", row_of(reach(ordinary.model), 0));
  say("  second model  {}", row_of(reach(t.model), 0));
  say("\nThe certificate:");
  show_certificate(t, pool);
}

int main(int argc, char** argv) {
  return run(argc, argv, "13_inside_the_heads", [](const Pictures& pictures) {
    ThreadPool pool;
    say("Lesson 13: inside the heads");
    section("1. A pattern is not a reason");
    const Trained t = trained({.positions = "rotary", .n_heads = 4, .seed = 2, .steps = 600}, pool);
    say("A model of two layers with 4 heads each. Accuracy on predictable tokens: {:.2f}.", accuracy(t));
    patterns(t, pictures, "heads.svg",
             "The heads of the first model, on a segment of 10 tokens that repeats");
    const HeadSet found = induction_heads(t);
    ablation(t, found);
    section("3. Path patching");
    say("What a head of layer 0 writes is replaced by what it writes on other tokens. Accuracy:");
    pictures.write("paths.svg", draw::svg_signed_map(paths(t, found)));
    const HeadAt sender = best_head(score_heads(t.model, t.batch), kPreviousToken).at();
    weights(t, found, sender, pictures);
    attribution(t);
    section("6. The certificate");
    show_certificate(t, pool);
    const Trained other = trained({.positions = "relative", .n_heads = 2, .seed = 0, .steps = 800}, pool);
    riddle(t, other, pictures, pool);
  });
}
