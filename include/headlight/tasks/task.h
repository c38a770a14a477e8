// Toy sequence tasks whose answers are known.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/core/rng.h"

namespace headlight::tasks {

struct TaskConfig {
  std::string name = "repeat";  // see kTaskNames
  std::size_t d_vocab = 64;     // number of different tokens
  std::size_t n_ctx = 64;       // positions that a model sees
  std::size_t min_segment = 0;  // shortest segment drawn; 0: n_ctx/4
  std::size_t max_segment = 0;  // longest segment drawn; 0: n_ctx/2
  bool distinct = true;         // no token twice in a segment
  bool fixed_offset = false;    // copy: every segment has length max_segment
};

// One sequence: a model sees tokens 0 … n-1 and has to say tokens 1 … n.
struct Sequence {
  std::vector<std::int32_t> tokens;  // n_ctx + 1
  std::vector<bool> predictable;     // n_ctx: whether the token after position t follows from those up to t
  std::size_t segment = 0;           // length of what is repeated or copied
};

// Range of lengths, both ends included; empty when first > last.
struct Range {
  std::size_t first, last;
  bool empty() const { return first > last; }
};

class Task {
 public:
  virtual ~Task() = default;

  const TaskConfig& config() const { return config_; }

  // A sequence with a segment length from the training range.
  Sequence draw(Rng& rng) const { return make(pick({training()}, rng), rng); }

  // A sequence with a length never trained on.
  Sequence draw_held_out(Rng& rng) const { return make(pick(held_out(), rng), rng); }

  Range training() const { return {config_.min_segment, config_.max_segment}; }
  virtual std::vector<Range> held_out() const = 0;

  // A sequence with this segment length.
  virtual Sequence make(std::size_t segment, Rng& rng) const = 0;

  // What a token looks like: one character while 64 are enough, else its number.
  virtual std::string token_text(std::int32_t token) const;

  // The tokens of a text: its characters (spaces apart), or its numbers where tokens have no characters.
  // Throws Error for what is no token.
  std::vector<std::int32_t> tokens_from_text(const std::string& text) const;

 protected:
  explicit Task(TaskConfig config);  // with the zeros filled in, and checked
  static std::size_t pick(const std::vector<Range>& ranges, Rng& rng);

  TaskConfig config_;
};

// "repeat": a random segment over and over (induction heads in their purest form).
// "copy": a random prefix, a separator, the prefix again, then random tokens.
inline const std::vector<std::string> kTaskNames = {"repeat", "copy"};

// Throws Error for an unknown name, or sizes at which the task cannot be posed.
std::unique_ptr<Task> make_task(const TaskConfig& config);

// Sequences stacked for a model.
struct Batch {
  IntArray tokens, targets;  // (B,n_ctx)
  BoolArray predictable;     // (B,n_ctx)
};
enum class Lengths { training, held_out };

// Sequences first … first+count-1 of a stream: sequence i is drawn from rng.stream("sequence", i), so it does
// not depend on the batches it was drawn in.
Batch draw_batch(const Task& task, std::size_t count, const Rng& rng, std::uint64_t first = 0,
                 Lengths lengths = Lengths::training);

// Rows first … first+count-1 of a batch.
Batch batch_rows(const Batch& batch, std::size_t first, std::size_t count);

}  // namespace headlight::tasks
