#include "headlight/system/background_thread.h"

#include <atomic>

#include "catch.h"

using namespace headlight;
using namespace std::chrono_literals;

TEST_CASE("a background thread works until it is stopped", "[core]") {
  std::atomic<int> times = 0;
  BackgroundThread thread([&](BackgroundThread& own) {
    while (!own.stops_within(1ms)) ++times;
  });
  while (times < 3) std::this_thread::sleep_for(1ms);
  thread.stop();
  const int then = times;
  std::this_thread::sleep_for(20ms);
  CHECK(times == then);
  thread.stop();
}

TEST_CASE("a background thread that waits ends with its owner", "[core]") {
  bool stopped = false;
  {
    const BackgroundThread thread([&](BackgroundThread& own) { stopped = own.stops_within(1h); });
  }
  CHECK(stopped);
}
