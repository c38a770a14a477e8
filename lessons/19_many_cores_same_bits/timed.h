// What lesson 19 measures of the reader's machine. It stands behind ⏱, where no test compares it.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/train/task_loss.h"
#include "lesson_program.h"

namespace headlight::lesson {

struct TimedModel {
  std::size_t d_model, n_ctx;
};

// The fastest of several steps: other programs only make a step slower.
inline double seconds_of_step(const TimedModel& m, int threads) {
  using Clock = std::chrono::steady_clock;
  const tasks::Task task = tasks::make_task({.name = "repeat", .d_vocab = 64, .n_ctx = m.n_ctx});
  Rng rng(1);
  nn::Transformer model(
      {.n_layers = 2, .d_model = m.d_model, .n_heads = 2, .d_vocab = task.config.d_vocab, .n_ctx = m.n_ctx},
      rng);
  ThreadPool pool(threads);
  train::Trainer trainer = train::task_trainer(model, task, {}, pool);
  trainer.step();  // the first step also asks the system for memory
  double fastest = 1e9, all = 0;
  for (int step = 0; step < 5 || (step < 200 && all < 0.3); ++step) {
    const auto start = Clock::now();
    trainer.step();
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    fastest = std::min(fastest, took), all += took;
  }
  return fastest;
}

inline void show_measured(const std::string& name, const TimedModel& m) {
  const double one = seconds_of_step(m, 1);
  say("  {:<36}  ⏱ {:>9.2f}   {:>9.2f}   {:>9.2f}   (one thread: {:.2f} ms)", name,
      one / seconds_of_step(m, 2), one / seconds_of_step(m, 4), one / seconds_of_step(m, 8), 1000 * one);
}

// Which of 8 tasks the calling thread takes when there are two threads, three times.
inline void show_who_took_what() {
  ThreadPool pool(2);
  for (int run = 1; run <= 3; ++run) {
    std::array<std::thread::id, 8> by{};
    pool.run(8, [&](std::size_t shard) {
      double x = 1;
      for (int i = 0; i < 200000; ++i) x = std::sqrt(x + i);  // some work
      by[shard] = x > 0 ? std::this_thread::get_id() : std::thread::id();
    });
    std::string mine;
    for (std::size_t shard = 0; shard < 8; ++shard)
      if (by[shard] == std::this_thread::get_id()) mine += fmt::format(" {}", shard);
    say("Of 8 shards, the first of two threads took in run {} ⏱{}", run, mine);
  }
}

}  // namespace headlight::lesson
