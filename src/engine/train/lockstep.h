// Runs the parts of a divided sequence together, some of them at a time.
#pragma once

#include <functional>
#include <memory>

#include "headlight/nn/sequence_part.h"
#include "headlight/train/exchange.h"

namespace headlight::train {

class Lockstep {
 public:
  // For `shards` shards in all, of which every `parts` are one sequence; at most `threads` parts compute at
  // once. Throws Error where the exchange does not say which process has which shard.
  Lockstep(Exchange& exchange, std::size_t shards, std::size_t parts, int threads);
  ~Lockstep();

  // Calls task(shard, part) for shards first … last-1, which are parts of one sequence and this process's,
  // each on a thread of its own. While a part waits for the others, another may compute: the one with the
  // latest positions first, because it sees the most keys. If a task throws, the others stop where they next
  // meet, and its exception is rethrown.
  using Task = std::function<void(std::size_t shard, const nn::SequencePart& part)>;
  void run(Exchange::Range shards, const Task& task);

  // The seconds that this shard has waited in the last run.
  double waited(std::size_t shard) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight::train
