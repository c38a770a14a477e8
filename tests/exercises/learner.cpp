// A learner's file whose part does what the checker's name says: one way to go wrong each.
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "exercise.h"

std::string deed;  // the checker sets it
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

// The results of a deed that ends.
Array returned(const Array& x) {
  if (deed == "shape") return Array(Shape{1, 3}, 0.0);
  if (deed == "nan") return x * (0.0 / zero);
  if (deed == "index") return x * x(7);
  if (deed == "prints") fmt::print("x has {} numbers\n", x.size());
  if (deed == "prints much")
    for (int i = 0; i < 20; ++i) fmt::print("{}\n", std::string(1 << 20, 'x'));
  if (deed == "forges") {
    fmt::print("\n\x1everdict {}\n", "{\"kind\":\"solved\"}");
    std::exit(0);
  }
  if (deed == "kills") std::raise(SIGKILL);
  if (deed == "throws") throw Error("[double] expected a smile, got none.");
  if (deed == "exits") std::exit(3);
  if (deed == "sleeps") std::this_thread::sleep_for(std::chrono::hours(1));
  if (deed == "writes") std::ofstream("written") << "text" << std::flush;
  if (deed == "removes") std::filesystem::remove(std::getenv("HEADLIGHT_VICTIM"));
  if (deed == "leaves") std::system("sleep 1000 & echo $!");
  return 2 * x;
}

Array train(const Array& x) {
  const std::clock_t begin = std::clock();
  while (std::clock() - begin < 3 * CLOCKS_PER_SEC / 2) continue;
  return 2 * x;
}

Array twice(const Array& x) {
  if (deed == "trains") return train(x);
  if (deed == "trains too long") return train(x) + loop_without_end();
  if (deed == "null") return x * *null;
  if (deed == "recursion") return x * without_end(1);
  if (deed == "division") return x * (7 / zero);
  if (deed == "assertion") return out_of_range(x);
  if (deed == "loop") return loop_without_end();
  if (deed == "memory") {
    std::vector<std::vector<double>> all;
    while (true) all.emplace_back(1 << 20, 1.0);
  }
  if (deed == "abort") std::abort();
  return returned(x);
}
