// Toy tasks with known answers. Each documents its sequences, the settings that it uses, and its best loss;
// where every target follows from the tokens so far, the best loss is 0. All throw Error for sizes that do
// not fit. A task that has its own alphabet sets d_vocab, whatever the config says.
#pragma once

#include "headlight/tasks/task.h"

namespace headlight::tasks {

// The sign that fills up sequences, and stands for "no answer". It is token 1 where there is a separator, and
// token 0 elsewhere.
inline constexpr const char* kFilling = "·";

// A segment, a separator, the segment from its end: A B C | C B A · · … With a source, the encoder reads
// "A B C · · …" and the decoder "| C B · · …". Settings: as repeat. Targets: the answer only.
Task reverse_task(const TaskConfig& config);

// A segment, a separator, the segment in the order of the vocabulary: C A B | A B C · · …; else as reverse.
Task sort_task(const TaskConfig& config);

// A segment among random tokens, and its copy once more at a random later place: x x A B C x x x A B C x. All
// places of both are equally likely, and all tokens are uniform. Settings: d_vocab, n_ctx, min_segment,
// max_segment (3/16 of the context, of one length, if neither is given). Best: by all plantings that the
// tokens so far allow.
Task planted_task(const TaskConfig& config);

// Associative recall (Ba et al. 2016): pairs of key and value, then a key; the target is its value.
// A p B q C r B → q. Keys are distinct, values are not. Settings: pairs, d_vocab (half of it keys), n_ctx.
// Sequences have pairs/2 … pairs pairs; other numbers of pairs are held out.
Task recall_task(const TaskConfig& config);

// The same with several keys at the end, each with its value as target: A p B q C r B A → q p
// (multi-query associative recall; Arora et al., "Zoology", 2023). Settings: also queries.
Task mqar_task(const TaskConfig& config);

// Markov chains in context (Edelman et al. 2024): every sequence has its own transition matrix, whose rows
// are drawn from Dirichlet(1); the first letter is uniform. Settings: states, n_ctx. Best: with c(z,y) the
// number of times that y followed z so far, P(y | z) = (c(z,y) + 1) / (Σ c(z,·) + k). This is exact, because
// Dirichlet(1) is conjugate to the counts. References: uniform, unigrams (count of y + 1) / (t + k), and
// bigrams, which are the best.
Task markov_task(const TaskConfig& config);

// k-hop induction (Sanford et al. 2024), on uniform letters. One hop goes from position i to the largest
// j ≤ i whose previous letter is that of i: x(j-1) = x(i). The target at i is the letter after `hops` hops,
// or "·" if a hop fails. Settings: hops, states, n_ctx.
Task khop_task(const TaskConfig& config);

// Text by a fixed bigram matrix, with trigger tokens (Bietti et al. 2023): in every sequence each trigger has
// one follower, drawn anew, uniform over the tokens that are no triggers. After any other token the next one
// is a trigger with probability 1/4 (all equally likely), else a token drawn from the row of the matrix,
// which is the same in all sequences. Settings: triggers, d_vocab, n_ctx. Best: the matrix is known, and a
// trigger's follower is known from its second occurrence on; at its first, -ln 1/(number of tokens that are
// no triggers). Reference: bigrams, which do not know the sequence.
Task triggers_task(const TaskConfig& config);

// How often each letter occurred so far, itself included: A B A A → 1 1 2 3. Settings: states, n_ctx.
Task histogram_task(const TaskConfig& config);

// The parity of the ones so far: 0 1 1 0 1 → 0 1 0 0 1. Settings: n_ctx.
Task parity_task(const TaskConfig& config);

// a + b = , with the target (a + b) mod modulus at "=". A fixed random 30 % of all pairs (a, b) are held out.
// Settings: modulus. The context is 4.
Task addition_task(const TaskConfig& config);

// Brackets of two kinds, at most 8 deep; the target is the bracket that closes the innermost open one, or "·"
// if none is open: ( [ ] → ) ] ). Settings: n_ctx.
Task brackets_task(const TaskConfig& config);

}  // namespace headlight::tasks
