// What people get wrong in part 4 of exercise 19: the loop that keeps workers busy.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "crew.h"
#include "grader/slips.h"
#include "mistakes_batch.h"

namespace mistakes {

using AllShards = std::function<Numbers(Crew&)>;

// Which worker gets shard s when it is decided beforehand.
inline std::size_t owner_of(const Made& made, std::size_t s, const Crew& crew) {
  const std::size_t of_each = (crew.shards() + crew.workers() - 1) / crew.workers();
  return made("blocks-of-shards") ? s / of_each : s % crew.workers();
}

// Each worker has shards of its own, and takes the next one when it finishes.
inline std::vector<Crew::Finished> with_own_shards(const Made& made, Crew& crew) {
  std::vector<std::vector<std::size_t>> left(crew.workers());
  for (std::size_t s = crew.shards(); s > 0; --s) left[owner_of(made, s - 1, crew)].push_back(s - 1);
  const auto start = [&](std::size_t worker) {
    if (left[worker].empty()) return;
    crew.start(worker, left[worker].back());
    left[worker].pop_back();
  };
  for (std::size_t worker = 0; worker < crew.workers(); ++worker) start(worker);
  std::vector<Crew::Finished> all;
  while (all.size() < crew.shards()) {
    all.push_back(crew.wait());
    start(all.back().worker);
  }
  return all;
}

// All workers begin together, and the next ones begin when all have finished.
inline std::vector<Crew::Finished> in_rounds(Crew& crew) {
  std::vector<Crew::Finished> all;
  for (std::size_t first = 0; first < crew.shards(); first += crew.workers()) {
    const std::size_t count = std::min(crew.workers(), crew.shards() - first);
    for (std::size_t w = 0; w < count; ++w) crew.start(w, first + w);
    for (std::size_t w = 0; w < count; ++w) all.push_back(crew.wait());
  }
  return all;
}

inline std::vector<Crew::Finished> as_they_get_free(const Made& made, Crew& crew) {
  const std::size_t shards = crew.shards() - (made("last-shard-never-computed") ? 1 : 0);
  std::size_t next = made("waits-for-nobody") ? 1 : 0, turn = 0;
  const auto start = [&](std::size_t worker) {
    const std::size_t s = next++;
    crew.start(worker, made("from-the-last-shard") ? crew.shards() - 1 - s
                       : made("no-such-shard")     ? s + 1
                                                   : s);
  };
  const std::size_t workers = made("one-at-a-time") ? 1 : crew.workers();
  for (std::size_t w = made("first-worker-idle") && workers > 1 ? 1 : 0; w < workers; ++w)
    if (next < shards || made("more-workers-than-shards")) start(w);
  std::vector<Crew::Finished> all;
  while (made("those-still-busy-forgotten") ? next < shards : all.size() < shards) {
    all.push_back(crew.wait());
    if (next < shards && !made("never-started-again"))
      start(made("workers-in-turn") ? turn++ % workers : made("always-worker-0") ? 0 : all.back().worker);
  }
  return all;
}

// Arrived results as each worker adds up its own, or holds its last one.
inline Arrived by_worker(const Made& made, const std::vector<Crew::Finished>& all, std::size_t workers) {
  Arrived sums;
  for (std::size_t w = 0; w < workers; ++w) {
    ShardGradient sum{w, Numbers(all.empty() ? 0 : all[0].result.gradient.size(), 0), 0};
    for (const Crew::Finished& each : all) {
      if (each.worker != w) continue;
      if (made("place-of-the-worker"))
        std::fill(sum.gradient.begin(), sum.gradient.end(), 0), sum.targets = 0;
      for (std::size_t j = 0; j < sum.gradient.size(); ++j) sum.gradient[j] += each.result.gradient[j];
      sum.targets += each.result.targets;
    }
    sums.push_back(sum);
  }
  return sums;
}

inline Numbers all_shards(const Made& made, Crew& crew) {
  const std::vector<Crew::Finished> all = made("in-rounds") ? in_rounds(crew)
                                          : made("shards-in-turn") || made("blocks-of-shards")
                                              ? with_own_shards(made, crew)
                                              : as_they_get_free(made, crew);
  Arrived arrived;
  for (const Crew::Finished& each : all) arrived.push_back(each.result);
  const std::size_t busy_at_the_end = std::min(crew.workers(), arrived.size()),
                    before = arrived.size() - busy_at_the_end;
  if (made("last-ones-thrown-away"))
    arrived.resize(before);
  else if (made("only-the-last-ones-kept"))
    arrived.erase(arrived.begin(), arrived.begin() + static_cast<std::ptrdiff_t>(before));
  if (made("sums-of-workers") || made("place-of-the-worker")) arrived = by_worker(made, all, crew.workers());
  std::vector<std::string> adding;
  for (const char* each : {"order-of-arrival", "one-after-the-other", "not-divided"})
    if (made(each)) adding.emplace_back(each);
  if (made("added-as-they-arrive")) adding = {"order-of-arrival", "one-after-the-other"};
  if (arrived.empty()) return {};
  return batch_gradient(Made{adding}, arrived);
}

inline const std::vector<Slip> kOfAllShards = {
    {"added-as-they-arrive",
     "You add each gradient when it arrives. So the bits depend on who finishes first. Keep all gradients, "
     "and add them in the tree over the shards.",
     kFirst},
    {"order-of-arrival",
     "You add in a tree over the order of arrival. The tree is over the shards, from 0 on.", kFirst},
    {"one-after-the-other",
     "You add the gradients in the order of the shards, one after the other. The sum is that of part 3, in "
     "the tree.",
     kTree},
    {"sums-of-workers",
     "Each worker adds up its own shards, and then you add these sums. Which shards a worker has depends on "
     "time and on the number of workers. Keep the gradient of each shard by itself.",
     kFirst},
    {"place-of-the-worker",
     "You keep results by the number of the worker, so each one overwrites the one before. Keep them by the "
     "number of the shard.",
     kTree},
    {"not-divided", "You return the sum of all gradients. Part 3 divides it by the number of all targets.",
     kTree},
    {"in-rounds",
     "All your workers wait until the slowest has finished, before any gets the next shard. Whoever finishes "
     "gets the next one at once.",
     kFaster},
    {"shards-in-turn",
     "You deal out the shards beforehand, in turn. Then a worker with quick shards has nothing to do at the "
     "end. Whoever finishes gets the next shard that nobody has begun.",
     kFaster},
    {"blocks-of-shards",
     "You deal out the shards beforehand, in blocks. Then a worker with quick shards has nothing to do at "
     "the end. Whoever finishes gets the next shard that nobody has begun.",
     kFaster},
    {"one-at-a-time",
     "Only one worker works at a time: you wait for it before you start the next one. Start all workers "
     "first, then wait.",
     kFaster},
    {"first-worker-idle", "Worker 0 never gets a shard. Workers count from 0.", kFaster},
    {"from-the-last-shard",
     "You hand out the last shard first. Shard 0 comes first, then shard 1, and so on.", kFaster},
    {"no-such-shard",
     "You start a shard that does not exist. They have the numbers 0 … crew.shards() - 1: count from 0, and "
     "start a worker only while a shard is left.",
     kFaster},
    {"waits-for-nobody",
     "At the end you wait for a shard that nobody computes. Start the workers before the first wait(), begin "
     "with shard 0, and hand out the last one too.",
     kFaster},
    {"always-worker-0",
     "You give the next shard to worker 0, who may be busy. Give it to the worker that wait() returned.",
     kFaster},
    {"more-workers-than-shards",
     "You start every worker, also when there are fewer shards. Start one only while a shard is left.",
     kFaster},
    {"never-started-again",
     "With more shards than workers you wait while no worker is busy. Either nobody is started again, or you "
     "wait more often than you start. After each wait(), start the worker that has finished with the next "
     "shard.",
     kFaster},
    {"workers-in-turn",
     "You give the next shard to the workers in turn. Some of them are still busy: give it to the worker "
     "that wait() returned.",
     kFaster},
    {"those-still-busy-forgotten",
     "You stop when the last shard has been handed out. Some workers are still busy then: wait until as many "
     "results have arrived as there are shards.",
     kFaster},
    {"last-ones-thrown-away",
     "You wait for the workers that are still busy at the end, and do not keep what they hand in.", kFaster},
    {"only-the-last-ones-kept",
     "You keep only what comes after the last shard has been handed out. The results before it count too.",
     kFaster},
    {"last-shard-never-computed",
     "The last shard is never computed. They have the numbers 0 … crew.shards() - 1.", kFaster}};

}  // namespace mistakes
