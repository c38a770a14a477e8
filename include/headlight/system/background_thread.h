// A thread that waits between the things that it does, and ends when its owner does: std::jthread with
// std::stop_token, which libc++ 19 has with -fexperimental-library only.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace headlight {

class BackgroundThread {
 public:
  // Calls `work` in the thread. It must return soon after stops_within() returned true.
  explicit BackgroundThread(std::function<void(BackgroundThread&)> work);
  ~BackgroundThread() { stop(); }
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;

  // Asks the thread to stop and waits until it has. Does nothing when it was called before.
  void stop();

  // For `work`: waits for this time, or until stop() is called. Returns whether it was.
  bool stops_within(std::chrono::milliseconds time);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stops_ = false;
  std::thread thread_;  // last, so that it finds the others made
};

}  // namespace headlight
