// Exercise 13: the methods of the lesson, written by you, a verdict on models that you have not seen, and an
// experiment.
//
// A model is an nn::Transformer of two layers. Its activations have names. You need two of them, with 0 or 1
// for L:
//   "blocks.L.attn.hook_z"         (B,n,heads,d_head)   what each head has gathered, before W_O
//   "blocks.1.hook_k_input"        (B,n,heads,d_model)  the stream that each head of layer 1 makes keys of
// (There are "blocks.1.hook_resid_pre" (B,n,d_model), the stream before layer 1, and the inputs of queries
// and values, hook_q_input and hook_v_input, as well.)
//   interpret::run_with_cache(model, tokens).cache[name]     an Array, as it is in a plain run;
//       const Tensor z(run_with_cache(…).cache[name]);       makes a tensor of it
//   interpret::run_with_cache(model, tokens, {}, hooks)      the same with hooks; also has .logits
//   interpret::run_with_hooks(model, tokens, hooks)          the logits (B,n,V), a Tensor
//   nn::Hooks hooks;   hooks.add(name, [=](const Tensor& x) { return …; })
//       a hook returns what shall take the place of the activation. Hooks with one name run one after the
//       other.
// Useful too: mean(x, {axes}, keep_dims), slice(x, axis, start, stop), concat({a, b}, axis), reshape(x,
// shape), fmt::format. An IntArray a: IntArray copy = a; copy.data()[i] = -1 for i below copy.size().
#include "exercise.h"
#include "evidence.h"
#include "examined.h"
#include "headlight/interpret/hooks.h"
#include "headlight/tasks/batch.h"

// Part 1 ★  mean_ablated
// z (B,n,heads,d_head) of some run, and the z of a reference batch (R,n,heads,d_head). Return z with this
// head replaced: everywhere its mean over the reference's sequences, position by position. Other heads stay.
//   One position, two heads of width 1, B = 1, R = 2:
//   z = [[[[5], [6]]]], reference = [[[[1], [2]]], [[[3], [4]]]], head 0  →  [[[[2], [6]]]]
Tensor mean_ablated(const Tensor& z, const Tensor& reference, std::size_t head) { todo(); }

// Part 2 ★★  loss_rise
// How much the loss rises when all these heads are mean-ablated at once. The reference is the batch itself,
// in a run in which nothing is ablated. The loss is the mean cross-entropy where batch.predictable is true.
// batch has .tokens, .targets (B,n) and .predictable (B,n). heads[i] has .layer and .head.
// cross_entropy(logits, targets, {.ignore_index = -1}) leaves out targets of -1. Four steps: a run with
// nothing ablated, whose cache has each z; a hook on hook_z for each head of the list; a run with all hooks;
// the loss of the second run less that of the first.
//   The model by hand (lesson 14) reads 0 1 0 and 2 3 2. It says 1 and 3, with a loss of 0. With its
//   induction head ablated it says both to both, half and half:  → log 2 = 0.693
double loss_rise(const nn::Transformer& model, const tasks::Batch& batch,
                 const std::vector<interpret::HeadAt>& heads) {
  todo();
}

// Part 3 ★★★  keys_patched
// Path patching, in the three runs of section 3: two that keep something, and a third one with one hook.
// Write one function that exchanges a single head of a tensor (B,n,heads,d). You need it twice. The model
// reads `tokens` (B,n). But in the keys of head `receiver` of layer 1, and only there, head `sender` of
// layer 0 has written what it writes when the model reads `others` (B,n). Return the logits.
//   The model by hand reads 0 1 2 0. It looks for the place that was told "0 stood before you", place 1,
//   and says 1. On 3 0 1 2 its head 0 tells the places 1, 2, 3 that 3, 0, 1 stood before them. With that in
//   the keys it finds place 2, and says the token there, 2:  → logits at the end [0, 0, 20, 0]
Tensor keys_patched(const nn::Transformer& model, const IntArray& tokens, const IntArray& others,
                    std::size_t sender, std::size_t receiver) {
  todo();
}

// Part 4 ★★  logit_parts
// Direct logit attribution at one position. The rows of parts (S,d) are what the embedding and each head
// wrote to its stream x, which is their sum. The model computes
//   logits = ((x - mean(x))/s ⊙ w) W_U,   s = √(variance(x) + 1e-5)        w (d), W_U (d,V)
// Return (S): what each part contributes to the logit of token `answer` less the mean over all V logits. They
// must add up to it.
//   parts = [[3, 0], [0, 1]], w = [1, 1], W_U = [[2, 0], [0, 2]], answer 0  →  [3, -1]
//   x = [3, 1], s = 1. The model's logits are [2, -2], and their mean is 0. So the answer has 2 above the
//   mean, and the parts add up to it: 3 + (-1). (1e-5 moves the fifth decimal.)
Tensor logit_parts(const Tensor& parts, const Tensor& w, const Tensor& W_U, std::size_t answer) { todo(); }

// Part 5 ★★★  verdict
// evidence.h says what is known of a model. What kind is it? The grader asks about models with weights set by
// hand, so that it knows the truth. Some have a pattern that misleads. Numbers of the right and the wrong
// lie far apart: an accuracy of at least a half counts as solved, and as lost when it falls to half of what
// it was. A head looks somewhere because of the tokens if it gives at least 0.4 more than without repeats.
// Layer 0 may tell the keys or the queries where to look. Both count as a circuit: at the follower it is
// Kind::ordinary. A few calls are numbers alone, made up so that each part of the evidence decides once.
//   accuracy 0.1, whatever the others are  →  {Kind::unsolved}
Finding verdict(const Evidence& e) { todo(); }

// Part 6 ★★  scaled_head
// An experiment of your own. Ablation removes a head as a whole. How much of a head does a model need? In the
// first model of the lesson, a hook can multiply the z of L0H1, the previous-token head, by a factor: 0 is
// zero ablation with an accuracy of 0.23, and 1 changes nothing, with 1.00. accuracy_with(hooks) gives the
// accuracy with your hooks. The z of layer 0 is (B,n,4,8). Choose three factors or more, from 0 to 10, some
// of them above 1. Before you run anything, write down for each the accuracy that you expect. Return the
// trials {factor, expected, measured}: any prediction passes, and the verdict shows where you were farthest
// off.
std::vector<Trial> scaled_head() { todo(); }
