// Two threads that load and store one total, step by step: what a data race can do, without having one.
#pragma once

#include <string>
#include <vector>

namespace headlight::lesson {

// Every order in which two threads can take so many steps each: "aabb", "abab", …
inline std::vector<std::string> interleavings(int steps, int steps_of_b) {
  if (steps == 0 && steps_of_b == 0) return {""};
  std::vector<std::string> all;
  const auto begin_with = [&](char first, int left_of_a, int left_of_b) {
    for (const std::string& rest : interleavings(left_of_a, left_of_b)) all.push_back(first + rest);
  };
  if (steps > 0) begin_with('a', steps - 1, steps_of_b);
  if (steps_of_b > 0) begin_with('b', steps, steps_of_b - 1);
  return all;
}
inline std::vector<std::string> interleavings(int steps) { return interleavings(steps, steps); }

// The total after both threads have added 1, again and again. Of each thread's steps the first is a load, the
// second stores what it loaded plus 1, the third is a load, and so on.
inline int total_after(const std::string& order) {
  int total = 0;
  int loaded[] = {0, 0};
  bool loads[] = {true, true};
  for (const char who : order) {
    const int thread = who - 'a';
    if (loads[thread])
      loaded[thread] = total;
    else
      total = loaded[thread] + 1;
    loads[thread] = !loads[thread];
  }
  return total;
}

}  // namespace headlight::lesson
