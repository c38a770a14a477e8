// Papers that are reproduced here: what each is compared with, what is measured, and whether both agree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/draw/figure.h"
#include "headlight/interpret/evidence.h"

namespace headlight::papers {

// Where a measured number must lie to agree with the row's reference. It is fixed before that number is
// measured; where row or training were changed later, the notes say so.
struct Tolerance {
  double low, high;
  std::string words;  // "±10 %", "at most 0.01"
};
Tolerance within(double reference, double distance);   // "±0.005"
Tolerance within_part(double reference, double part);  // "±10 %" of it
Tolerance up_to(double limit);
Tolerance from_on(double limit);
Tolerance exactly(double reference);

// What a measured number is compared with, by origin. At least one is given.
struct Reference {
  std::string printed = {};   // in the paper, or in a text of its authors: "4.8", "heads form"
  std::string read_off = {};  // the authors' code, their saved data or a figure
  std::string computed = {};  // by us, from the definition that paper or code give
};

// One number of a paper.
struct Row {
  std::string what;  // "token error at 2 hops, depth 3 (%)"
  Reference reference;
  std::string place;  // where the reference is read: "table 2", or how it is computed
  Tolerance tolerance;
  int digits = 3;                                         // of the measured number, where it is printed
  interpret::Evidence known = interpret::Evidence::seen;  // how the measured number is known
};

// How much is done, and what watches it.
struct Effort {
  std::int64_t steps = 0;  // of each training; 0: as many as the paper's reproduction takes
  int threads = 0;         // 0: all cores. Does not affect results
  std::function<void(const std::string& stage, std::int64_t step, std::int64_t steps)> progress = {};
};

struct Measured {
  std::vector<double> numbers;     // one for each row
  draw::Figure figure;             // the paper's figure, drawn from what was measured
  std::vector<std::string> notes;  // what a reader must know of them
};

struct Paper {
  std::string name;  // "edelman-2024"
  std::string title, authors, address;
  std::string finding;  // what the paper trains and finds, in sentences
  std::string changed;  // what differs here from the authors' set-up, with theirs; empty: nothing
  int seconds = 0;      // measured, on two cores
  std::vector<Row> rows;
  std::function<Measured(const Effort& effort)> measure;
};

// By year. Adding one is a file, a line in all_papers.h and its name in paper.cpp.
const std::vector<Paper>& all_papers();

// Throws Error for an unknown name, with the nearest one.
const Paper& find_paper(const std::string& name);

// A paper with what was measured. Without verdicts and notes if it was cut short: what a training of two
// steps gives says nothing of a paper.
struct Reproduction {
  const Paper* paper;
  Measured measured;
  std::vector<bool> agrees;  // one for each row; empty if it was cut short
  double seconds = 0;

  bool cut_short() const { return agrees.empty(); }
  bool reproduced() const;  // every row agrees
};

// Throws Error if a measured number is not finite.
Reproduction reproduce(const Paper& paper, const Effort& effort);

// Several side by side, each on one thread, the longest first: two threads wait for each other at the small
// steps of most. `ended` is called with each, one at a time and in the order of `papers`.
void reproduce_all(const std::vector<const Paper*>& papers, const Effort& effort,
                   const std::function<void(const Reproduction&)>& ended);

}  // namespace headlight::papers
