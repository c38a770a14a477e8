// Ranks as threads of one process, with a wire in memory.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/ranks/group.h"

namespace headlight::ranks {

// What is under way between the ranks. What a rank sends after cut() is lost.
class MemoryNet {
 public:
  explicit MemoryNet(std::size_t ranks) : cut_(ranks) {}

  std::size_t size() const { return cut_.size(); }

  void put(std::size_t from, std::size_t to, const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (!cut_[from]) messages_[{from, to}].push_back(message);
  }
  std::optional<std::string> get(std::size_t from, std::size_t to) {
    const std::lock_guard lock(mutex_);
    auto& queue = messages_[{from, to}];
    if (queue.empty()) return {};
    std::string message = std::move(queue.front());
    queue.pop_front();
    return message;
  }
  void cut(std::size_t rank) {
    const std::lock_guard lock(mutex_);
    cut_[rank] = true;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<std::string>> messages_;  // by from, to
  std::vector<bool> cut_;
};

class MemoryWire : public Wire {
 public:
  MemoryWire(MemoryNet& net, std::size_t rank) : net_(net), rank_(rank) {}
  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return net_.size(); }
  void send(std::size_t to, std::shared_ptr<const std::string> message) override {
    net_.put(rank_, to, *message);
  }
  std::optional<std::string> receive(std::size_t from) override { return net_.get(from, rank_); }
  bool sent() override { return true; }

 private:
  MemoryNet& net_;
  std::size_t rank_;
};

// Calls the body in a thread for each rank, and returns what each threw: "" for nothing. As in the program,
// what one throws the others are told.
inline std::vector<std::string> in_ranks(std::size_t ranks, std::chrono::milliseconds limit,
                                         const std::function<void(Group&, MemoryNet&)>& body) {
  MemoryNet net(ranks);
  std::vector<std::string> errors(ranks);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      MemoryWire wire(net, rank);
      try {
        Group group(wire, limit);
        try {
          body(group, net);
        } catch (const std::exception& e) {
          errors[rank] = group.fail_everywhere(e);
        }
      } catch (const Error& e) {
        errors[rank] = e.what();
      }
    });
  for (auto& thread : threads) thread.join();
  return errors;
}

}  // namespace headlight::ranks
