// Task: what a model is to learn, put together from its parts. Toy sequence tasks have known answers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "headlight/core/registry.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/vocabulary.h"

namespace headlight::inline HEADLIGHT_PRECISION::tasks {

// The target where nothing is asked.
inline constexpr std::int32_t kNoTarget = -1;

// One sequence: at position t a model has read tokens 0 … t and is asked for target t.
struct Sequence {
  std::vector<std::int32_t> tokens;   // n
  std::vector<std::int32_t> targets;  // n; kNoTarget where nothing is asked
  std::vector<bool> predictable =
      {};  // n: whether the target follows from what was read; empty: wherever there is one
  std::vector<std::int32_t> source = {};   // what an encoder reads, of any length; empty: there is no encoder
  std::string note = {};                   // what is special about it: "segment of 12 tokens"
  std::vector<std::int32_t> repeats = {};  // n: which copy of the segment a token belongs to; -1: none
};

// The sequence that reads tokens 0 … n-1 of n+1 and is asked for the token after each.
Sequence next_token_sequence(const std::vector<std::int32_t>& tokens, std::vector<bool> predictable,
                             std::string note = {});

// A new sequence. What it returns depends on the generator of random numbers alone, so that threads may call
// it at once and a batch can be drawn again.
using Generator = std::function<Sequence(Rng& rng)>;

// The settings of a task. Each task says what it makes of them.
struct TaskConfig {
  std::string name = "repeat";  // in the registry
  std::size_t d_vocab = 64;     // number of different tokens
  std::size_t n_ctx = 64;       // positions that a model sees
  std::size_t min_segment = 0;  // shortest segment drawn; 0: n_ctx/4
  std::size_t max_segment = 0;  // longest segment drawn; 0: n_ctx/2
  bool distinct = true;         // no token twice in a segment
  bool fixed_offset = false;    // copy: every segment has length max_segment
};

// What a person must know of a task, in sentences that end with a period. A piece between stars is a term of
// the glossary: "*attention head*".
struct TaskWords {
  std::string what;      // what the model reads and must predict
  std::string answer;    // from what a predictable token follows
  std::string success;   // what counts as solved
  std::string look_for;  // what to look for in the heads and curves
};

// The predictable accuracy that solves a task whose success is no kind of head.
inline constexpr double kSolvedAccuracy = 0.9;

struct Task {
  TaskConfig config;  // name and sizes; what was 0 is filled in
  Vocabulary vocabulary;
  Generator training;
  Generator held_out = {};      // sequences of a kind never trained on; empty: there is none
  Generator scored = {};        // what heads are scored on; empty: heads have no scores
  std::string scored_on = {};   // what those are, when they are of another kind: "repeated random tokens"
  std::string trained_on = {};  // what the training sequences have in common: "segments of 16 to 32 tokens"
  std::size_t n_source = 0;     // tokens in the longest source; 0: there is no encoder
  TaskWords words = {};         // empty: nothing is said of it
  std::string solved_by = {};   // the score of the head that solves it, "induction"; empty: accuracy counts
};

// Throws Error unless the parts fit: there is a name and a training generator, the vocabulary has d_vocab
// tokens.
void check_task(const Task& task);

// The tokens of a text, no more than the context holds. Throws Error as Vocabulary::tokens does.
std::vector<std::int32_t> read_tokens(const Task& task, const std::string& text);

// Every task that can be chosen by name. A task of your own joins it with add().
using MakeTask = std::function<Task(const TaskConfig&)>;
Registry<MakeTask>& registry();

// Throws Error for an unknown name, or sizes at which the task cannot be posed.
Task make_task(const TaskConfig& config);

// A random segment, over and over: A B C D A B C D A …
Task repeat_task(const TaskConfig& config);

// A random prefix, a separator, the prefix again, then random tokens: A B C | A B C X Y … With a fixed offset
// every prefix has the same length, and a head that always looks as far back solves the task. With random
// lengths it has to find the place by content.
Task copy_task(const TaskConfig& config);
inline constexpr std::int32_t kSeparator = 0;

}  // namespace headlight::inline HEADLIGHT_PRECISION::tasks
