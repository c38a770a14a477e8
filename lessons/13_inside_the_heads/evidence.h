// What is known of a model in part 5 of exercise 13, and what can be said of it.
#pragma once

#include <cstddef>
#include <vector>

namespace headlight {

// Everything is measured on fresh sequences of the model's task, the weights on sequences with repeats and on
// others without.
struct Evidence {
  double accuracy = 0;  // of predictable tokens
  // For 0, 1, … places: the weight on the token so many places after the follower, and on the same places of
  // sequences in which nothing repeats. Of the head of layer 1 in which the two differ most; where
  // they do not differ, of the one that looks most.
  std::vector<double> looks, control;
  // The accuracy with heads of layer 1 mean-ablated: with the best of those that look at the place where
  // `looks` and `control` differ most, and with all of them.
  double without_one = 0, without_all = 0;
  // The accuracy when all heads of layer 0 write what they write on sequences without repeats, on their paths
  // into the queries, or into the keys, of layer 1.
  double queries_patched = 0, keys_patched = 0;
};

// A verdict of the grader shows these as 0, 1, 2, 3.
enum class Kind {
  unsolved,     // the model does not solve its task
  ordinary,     // it does, by an induction circuit that looks at the follower
  shifted,      // it does, by an induction circuit that looks at a later place
  another_way,  // it does, but not by an induction circuit
};

struct Finding {
  Kind kind = Kind::unsolved;
  std::size_t by = 0;  // of a shifted circuit: how many places after the follower it looks; else 0
};

}  // namespace headlight
