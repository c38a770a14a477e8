// A learner's file whose part does what the checker's name says: one way to go wrong each.
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "exercise.h"

std::string behaviour;  // the checker sets it
volatile int zero = 0;
const double* volatile null = nullptr;

int without_end(int depth) { return depth < 0 ? 0 : without_end(depth + 1) + zero; }

Array loop_without_end() {
  while (zero == 0) continue;
  return {};
}

Array out_of_range(const Array& x) {
  const std::vector<double> numbers{1, 2};
  return x * numbers[static_cast<std::size_t>(2 + zero)];
}

// Writes so far behind the end of an array that malloc finds it later.
Array written_outside(const Array& x) {
  Array y(Shape{3}, 0.0);
  for (std::size_t i = 0; i < 400; ++i) y.data()[i] = x.data()[0];
  const std::vector<double> more(12'000, 1.0);
  return y;
}

// The results of a behaviour that ends.
Array returned(const Array& x) {
  if (behaviour == "shape") return Array(Shape{1, 3}, 0.0);
  if (behaviour == "nan") return x * (0.0 / zero);
  if (behaviour == "index") return x * x(7);
  if (behaviour == "prints much")
    for (int i = 0; i < 20; ++i) fmt::print("{}\n", std::string(1 << 20, 'x'));
  if (behaviour == "forges") {
    fmt::print("\n\x1everdict {}\n", "{\"kind\":\"solved\"}");
    std::exit(0);
  }
  if (behaviour == "kills") std::raise(SIGKILL);
  if (behaviour == "throws") throw Error("[double] expected a smile, got none.");
  if (behaviour == "exits") std::exit(3);
  if (behaviour == "sleeps") std::this_thread::sleep_for(std::chrono::hours(1));
  if (behaviour == "writes") std::ofstream("written") << "text" << std::flush;
  if (behaviour == "removes") std::filesystem::remove(std::getenv("HEADLIGHT_VICTIM"));
  if (behaviour == "leaves") std::system("sleep 1000 & echo $!");
  return 2 * x;
}

Array train(const Array& x) {
  const std::clock_t begin = std::clock();
  while (std::clock() - begin < 3 * CLOCKS_PER_SEC / 2) continue;
  return 2 * x;
}

Array half(const Array& x) {
  if (behaviour == "prints") fmt::print("x has {} numbers\n", x.size());
  return x / 2;
}

Array twice(const Array& x) {
  if (behaviour == "trains") return train(x);
  if (behaviour == "trains too long") return train(x) + loop_without_end();
  if (behaviour == "null") return x * *null;
  if (behaviour == "recursion") return x * without_end(1);
  if (behaviour == "division") return x * (7 / zero);
  if (behaviour == "assertion") return out_of_range(x);
  if (behaviour == "outside") return written_outside(x);
  if (behaviour == "loop") return loop_without_end();
  if (behaviour == "memory") {
    std::vector<std::vector<double>> all;
    while (true) all.emplace_back().reserve(1 << 20);  // no page is touched: that is slow on some machines
  }
  if (behaviour == "abort") std::abort();
  return returned(x);
}
