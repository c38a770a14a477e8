#include "headlight/page/glossary.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/ascii.h"
#include "headlight/core/check.h"
#include "headlight/core/names.h"
#include "headlight/interpret/scores.h"

namespace headlight::page {
namespace {

const std::vector<Term> kReading{
    {"token", {"tokens"}, "One symbol of a sequence: here a letter, a digit or another sign."},
    {"vocabulary", {}, "All different *tokens* that can occur."},
    {"context", {}, "The number of *tokens* that the model reads at once."},
    {"segment",
     {"segments"},
     "A random run of *tokens*. In a task that repeats or copies it, it occurs again later in the sequence."},
    {"period",
     {"periods"},
     "Where copies of a *segment* follow each other, the distance after which they do: its length."},
    {"predictable",
     {"predictable token", "predictable tokens", "copied"},
     "A *token* is predictable when the task's rule gives it from the tokens before it. A model can only "
     "guess the others. In a text they are called copied: the same characters stood before them "
     "earlier."},
    {"transformer",
     {"transformers"},
     "A model that passes one vector for each *token* through *layers* of *attention heads*, "
     "and then predicts the next token at each position."},
    {"layer",
     {"layers"},
     "A group of *attention heads* that work side by side. A later layer reads what the earlier layers "
     "wrote."}};

const std::vector<Term> kAttention{
    {"attention",
     {},
     "The way in which one position of a sequence reads from others: an *attention weight* for each "
     "position, and the weighted mean of what stands there."},
    {"attention head",
     {"head", "heads", "attention heads"},
     "The part of a *layer* that computes one *pattern*. \"Layer 1, head 0\", in short L1H0, "
     "is the first head of the second layer: both count from 0."},
    {"query", {"queries"}, "The *token* that looks: one row of a *pattern*."},
    {"key",
     {"keys"},
     "A *token* that a *query* can look at: one column of a *pattern*. Also the vector that "
     "stands for it there: the better it fits the query's vector, the larger is the *attention "
     "weight*."},
    {"value", {"values"}, "What a *head* reads from the *token* it looks at, a vector."},
    {"attention weight",
     {"attention weights", "weight", "weights"},
     "How much of its attention a *query* gives to a *key*: from 0 to 1. The attention weights of a row add "
     "up to 1, or to less where the head has a sink."},
    {"pattern",
     {"patterns", "attention pattern"},
     "The table of all *attention weights* of one *head* on one sequence: a row for each *query*, a column "
     "for each *key*."},
    {"causal mask", {"causal"}, "The rule that a *token* looks only at itself and at earlier tokens."},
    {"residual stream",
     {},
     "The vector that belongs to one position. Each *head* reads from it and adds its result to it."},
    {"head score",
     {"head scores", "score", "scores"},
     "The mean *attention weight* that a *head* gives to one kind of place, such as the previous *token*. A "
     "run's page says, under About, on which sequences it is measured."},
    {"attention logit",
     {"attention logits", "attention score", "attention scores"},
     "The product of the vector of a *query* and that of a *key*, also called attention score. Softmax over "
     "a row turns attention logits into *attention weights*."},
    {"composition",
     {},
     "How strongly a *head* reads, as its *queries*, *keys* or *values*, what a head of an earlier *layer* "
     "wrote."},
    {"QK circuit",
     {"qk circuit"},
     "The *attention logits* of a *head* for each pair of *tokens*, computed from its *parameters* alone."},
    {"OV circuit",
     {"ov circuit"},
     "What a *head* adds to each *logit* when it looks at a *token*, computed from its *parameters* alone."},
    {"copying score",
     {"copying scores"},
     "The sum of the eigenvalues of the *OV circuit*, divided by the sum of their sizes. A *head* that raises "
     "the *logit* of the *token* it looks at and no other has 1, one that only lowers it has -1. A number near "
     "1 does not mean that every token is raised."},
    {"rotary positions",
     {"rotary"},
     "A way to tell a *head* where *tokens* stand: the vectors of *queries* and *keys* are "
     "turned by an angle that grows with the position. So an *attention logit* depends on how "
     "far apart two tokens are, not on where they stand."},
    {"norm",
     {"norms", "layer norm"},
     "A step before each *layer* that scales the vector of every position to the same size."}};

const std::vector<Term> kTraining{
    {"training", {}, "Changing the *parameters* in small steps so that the *loss* falls."},
    {"step", {"steps"}, "One change of all *parameters*, after one *batch*."},
    {"batch", {}, "The sequences from which one *step* computes its *gradient*."},
    {"parameter", {"parameters"}, "A number of the model that training changes."},
    {"gradient",
     {"gradients"},
     "The derivatives of the *loss* with respect to all *parameters*: how the loss changes "
     "when each is moved a little."},
    {"learning rate", {}, "How far a *step* moves the *parameters*."},
    {"warm-up", {}, "The first *steps*, in which the *learning rate* grows from 0 to its full value."},
    {"logits",
     {"logit"},
     "The model's output before softmax: one number for each *token* of the *vocabulary*."},
    {"loss",
     {},
     "The negative logarithm of the probability that the model gave to the right next *token*, "
     "as a mean over tokens. 0 is perfect."},
    {"nat",
     {"nats"},
     "The unit of the *loss* with the natural logarithm. Guessing among 64 equally likely "
     "*tokens* costs ln 64 = 4.16 nats."},
    {"accuracy",
     {"predictable accuracy"},
     "The share of *tokens* for which the most likely prediction is right. Predictable "
     "accuracy counts *predictable* tokens only."},
    {"held out", {"held-out"}, "Of a kind not used in training, such as sequences with other *periods*."},
    {"snapshot",
     {"snapshots"},
     "The *parameters* as they were after one *step* of training, kept to be looked at later."},
    {"seed",
     {"random seed"},
     "The number from which all random numbers of a run follow. The same seed gives the same run."},
    {"shard", {"shards"}, "A part of the *batch* that one thread computes."}};

const std::vector<Term> kInterventions{
    {"intervention",
     {"interventions"},
     "A change inside the model while it computes, such as an *ablation*. It shows what a part does, where "
     "looking at a *pattern* only suggests it."},
    {"ablation",
     {"ablated", "mean-ablated", "ablate"},
     "Switching a *head* off: something fixed takes the place of what it adds, either zero or its mean over "
     "other sequences. The mean is the milder one: what the head says in every sequence stays."},
    {"minimal set",
     {"minimal sets"},
     "*Heads* that are enough for a task (with all others ablated, 90 % of the accuracy is left) while no part "
     "of them is. A model can have several."},
    {"Shapley value",
     {"Shapley values"},
     "What a *head* is worth: how much it raises the *accuracy* when it is added to a model without heads, in the "
     "mean over all orders in which heads can be added."},
    {"control",
     {"controls"},
     "The same measurement where no effect is expected. A finding counts only if its control does not show "
     "it too."},
    {"circuit",
     {"circuits", "induction circuit"},
     "*Heads* that solve a task together, each reading what earlier ones wrote. In an induction circuit, "
     "earlier *previous-token heads* note at each *token* which token stood before it, and *induction heads* "
     "find their place by this note. A head counts as an induction head of the circuit if its *attention "
     "weight* on what followed the same token before is larger by at least 0.2 than at the same places of "
     "sequences without repeats. So its induction *score* may be below 0.5."},
    {"edge",
     {"edges"},
     "What the embedding, a *head* or an MLP writes, on its way into one input of a later head or MLP, or into "
     "the *logits*. A *circuit* is a set of edges with which alone a model still does its task."},
    {"integrated gradients",
     {"integrated gradient"},
     "An estimate of what replacing an *edge* costs: the *gradient* of the *loss* in the receiver's input, "
     "averaged over inputs on the way from other *tokens* to the model's own, times the difference of what the "
     "sender writes. The gradient at the model's own input alone is nearly 0 where the model is sure."},
    {"logit lens",
     {},
     "What the model would predict if it ended after a *layer*: the last norm and the unembedding, applied to "
     "the residual stream there."},
    {"position head",
     {"position heads"},
     "A *head* of a *circuit* that tells a later *head*, through its *queries*, where the same *token* stood "
     "before."},
    {"helper",
     {"helpers"},
     "A further *head* of a *circuit*. Helpers are added to its *induction heads* and "
     "*previous-token heads* one by one, until all together solve the task without the other "
     "heads."},
    {"shifted induction",
     {},
     "Induction in which *heads* look some places after the *token* that followed the same token before. "
     "Earlier heads have carried the note and the answer to that place."},
    {"certificate",
     {"certificates"},
     "The test of whether a model has an induction *circuit*. It consists of six claims. Each has a number, "
     "most by an *intervention*, and a limit; most have a *control*."}};

// The kinds of heads, by the table of scores. Files of runs call the heads of a circuit matchers and senders.
std::vector<Term> kinds_of_heads() {
  std::vector<Term> terms;
  for (const interpret::ScoreKind& kind : interpret::score_kinds()) {
    Term term{
        kind.role,
        {fmt::format("{}s", kind.role)},
        fmt::format("A *head* that {}. Its *head score* is the {}; from {:.1f} on a head counts as one.",
                    kind.looks, kind.help, interpret::kFoundScore)};
    const std::string_view key = kind.key;
    if (key == interpret::kInduction || key == interpret::kPreviousToken)
      term.definition += " A *certificate* can also name weaker ones.";
    if (key == interpret::kInduction) term.also.insert(term.also.end(), {"matcher", "matchers"});
    if (key == interpret::kPreviousToken) term.also.insert(term.also.end(), {"sender", "senders"});
    terms.push_back(std::move(term));
  }
  return terms;
}

std::string lowered(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(), ascii::to_lower);
  return low;
}

}  // namespace

const std::vector<Term>& glossary() {
  static const std::vector<Term> terms = [] {
    std::vector<Term> all;
    for (const std::vector<Term>& part : {kReading, kAttention, kinds_of_heads(), kInterventions, kTraining})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return terms;
}

const Term& find_term(std::string_view name) {
  const std::string asked = lowered(name);
  std::vector<std::string> known;
  for (const Term& term : glossary()) {
    if (term.term == asked || std::find(term.also.begin(), term.also.end(), asked) != term.also.end())
      return term;
    known.push_back(term.term);
  }
  fail("the glossary has no term '{}'.{} Hint: ./headlight glossary lists all terms.", std::string(name),
       did_you_mean(asked, known));
}

std::string without_stars(std::string_view text) {
  const auto is_space = [](char c) { return std::string_view(" \t\n\r").find(c) != std::string_view::npos; };
  std::string out;
  while (true) {
    const std::size_t opening = text.find('*');
    out += text.substr(0, opening);
    if (opening == std::string_view::npos) return out;
    const std::size_t closing = text.find('*', opening + 1);
    const std::string_view marked = text.substr(opening + 1, closing - opening - 1);
    if (closing == std::string_view::npos || marked.empty() || is_space(marked.front()) ||
        is_space(marked.back())) {
      out += '*';
      text.remove_prefix(opening + 1);
    } else {
      out += marked;
      text.remove_prefix(closing + 1);
    }
  }
}

std::string glossary_markdown() {
  std::string text =
      "# Glossary\n\n"
      "The words that the program, the report and the lessons use, in the order in which you "
      "meet them. In the terminal: `./headlight glossary`.\n\n"
      "| term | |\n"
      "|---|---|\n";
  for (const Term& term : glossary())
    text += fmt::format("| **{}** | {} |\n", term.term, without_stars(term.definition));
  return text;
}

}  // namespace headlight::page
