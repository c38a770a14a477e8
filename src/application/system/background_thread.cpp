#include "headlight/system/background_thread.h"

namespace headlight {

BackgroundThread::BackgroundThread(std::function<void(BackgroundThread&)> work)
    : thread_([this, work = std::move(work)] { work(*this); }) {}

void BackgroundThread::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool BackgroundThread::stops_within(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [this] { return stops_; });
}

}  // namespace headlight
