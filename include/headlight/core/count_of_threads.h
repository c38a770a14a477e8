// A number that all threads add to. Each thread writes its own count, so the cores share no cache line.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace headlight {

// One number for each type `Tag`.
template <class Tag>
class CountOfThreads {
 public:
  static void add(std::int64_t change) {
    if (mine_is_gone) {  // a thread that ends may still free objects after its count is gone
      all().ended.fetch_add(change, std::memory_order_relaxed);
      return;
    }
    thread_local Mine mine;
    mine.count.store(mine.count.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
  }

  static std::int64_t total() {
    const std::lock_guard lock(all().mutex);
    std::int64_t sum = all().ended;
    for (const auto* count : all().of_threads) sum += count->load(std::memory_order_relaxed);
    return sum;
  }

 private:
  struct All {
    std::mutex mutex;
    std::vector<const std::atomic<std::int64_t>*> of_threads;
    std::atomic<std::int64_t> ended{0};
  };
  static All& all() {
    static All& instance = *new All;  // never destroyed: threads end after main() has
    return instance;
  }

  struct Mine {
    std::atomic<std::int64_t> count{0};

    Mine() {
      const std::lock_guard lock(all().mutex);
      all().of_threads.push_back(&count);
    }
    ~Mine() {
      mine_is_gone = true;
      const std::lock_guard lock(all().mutex);
      all().ended += count.load(std::memory_order_relaxed);
      std::erase(all().of_threads, &count);
    }
  };

  static thread_local inline bool mine_is_gone = false;
};

}  // namespace headlight
