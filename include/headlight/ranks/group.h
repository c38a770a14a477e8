// Group: what the ranks that train one model do together. No wait of it is without a limit.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/ranks/wire.h"
#include "headlight/system/background_thread.h"

namespace headlight::ranks {

// The error of a group: every rank that still runs finds it, or is told, in the same words.
class GroupError : public Error {
 public:
  GroupError(const std::string& sentence, std::vector<std::size_t> silent)
      : Error(sentence), silent_(std::move(silent)) {}

  const std::vector<std::size_t>& silent() const { return silent_; }  // ranks that sent nothing

 private:
  std::vector<std::size_t> silent_;
};

// Something that must be the same in every rank, such as "train.seed", "3".
struct Fact {
  std::string name, value;
};

class Group {
 public:
  static constexpr std::chrono::milliseconds kLimit{60'000};

  // Waits until all ranks have made theirs. From then on a thread tells the others four times in each limit
  // that this rank lives, so that a slow rank is waited for, and one that is stopped or cut off is not.
  explicit Group(Wire& wire, std::chrono::milliseconds limit = kLimit);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  std::size_t rank() const { return wire_.rank(); }
  std::size_t size() const { return wire_.size(); }

  // "rank 2 (name of its host)"
  std::string name(std::size_t rank) const;

  // Sends the bytes to every other rank, and returns what all ranks sent, by rank. `what` names the bytes in
  // errors: "the gradients of step 17". Throws GroupError when a rank sent nothing for as long as the limit,
  // sent another `what`, or called fail_everywhere().
  std::vector<std::string> gather(const std::string& bytes, const std::string& what);

  // Throws GroupError for the first fact that is not the same in all ranks, in their order. The error names a
  // rank that differs from the majority, or without a majority from rank 0. `when` begins the error: "before
  // the first step".
  void agree(const std::vector<Fact>& facts, const std::string& when);

  // Sends the error to the other ranks, in which gather() throws it as a GroupError. Returns its sentence,
  // which names this rank, unless it is rank 0 or the error is the group's.
  std::string fail_everywhere(const std::exception& error);

 private:
  using Clock = std::chrono::steady_clock;

  using Message = std::shared_ptr<const std::string>;

  static Message labelled(const std::string& bytes, const std::string& what, char kind);
  void send_all(const Message& message);
  bool take(std::string message, std::size_t from, const std::string& what, std::string& bytes) const;
  void check_heard(const std::vector<Clock::time_point>& heard, const std::vector<bool>& came,
                   const std::string& what) const;
  void wait_until_sent();
  void show_life(BackgroundThread& thread);

  Wire& wire_;
  std::chrono::milliseconds limit_;
  std::vector<std::string> hosts_;
  BackgroundThread life_;  // last, so that it ends before what it uses
};

}  // namespace headlight::ranks
