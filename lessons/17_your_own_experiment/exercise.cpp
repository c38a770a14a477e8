// Exercise 17: reproduce a figure of a paper, with the parts of an experiment one by one.
//
// An Array a has a(i, j), a.shape()[0] rows and a.shape()[1] columns. std::sqrt(x), std::atan2(y, x).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bench.h"
#include "exercise.h"
#include "toy.h"

// Part 1 ★  gaps
// The metric. Column i of W (2,F) is the direction (W(0, i), W(1, i)) of feature i in the plane. A feature
// survives if its length √(W(0, i)² + W(1, i)²) is at least 0.5; the others do not count at all. The angle of
// a direction is measured from (1, 0) towards (0, 1), in degrees from 0 up to, but not including, 360. Go
// around the circle from angle 0 on, and return for each survivor the angle from it to the next one; from the
// last survivor it is the angle to the first one. One survivor: [360]. None: [].
//   W = [[1, 0, -1, 0.1],
//        [0, 2,  0, 0.2]]  →  [90, 90, 180]
std::vector<double> gaps(const Array& W) { todo(); }

// Part 2 ★★  parts_of
// The parts of the data. Example i is from source[i], such as a text or a person, and all examples of a
// source must be in the same part. `order` has each source once, shuffled. Go through it and put whole
// sources into the held-out part until it has at least `held_out` examples. Then put the next ones into the
// validation part until that part has at least `validation` examples. All others are for training. A part of
// 0 examples gets no source; if the sources are used up, a part may have too few.
// Return for each example: 0 training, 1 validation, 2 held out.
//   source = [0, 0, 1, 1, 1, 2, 3], order = [1, 0, 3, 2], held_out = 2, validation = 2
//   →  [1, 1, 2, 2, 2, 0, 0]
std::vector<int> parts_of(const std::vector<std::size_t>& source, const std::vector<std::size_t>& order,
                          std::size_t held_out, std::size_t validation) {
  todo();
}

// Part 3 ★★  chosen_and_reported
// The choice. bench.h says what a Bench has: losses of bench.settings() settings, each trained with
// bench.seeds() seeds (at least 2), on three parts of the data. Choose the setting whose validation losses
// have the smallest mean over the seeds; of equal ones the first. A setting with a NaN among its validation
// losses is never chosen; at least one has none. Call bench.choose(setting), once. Then read the held-out
// loss of this setting for each seed, each of them once, and return the setting, their mean and their
// standard error. For n numbers xᵢ with the mean m it is √(Σ (xᵢ - m)² / (n - 1)) / √n. The Bench records
// when you read held-out losses, and how many.
//   validation [[3, 5], [1, 6], [9, 0]], held out [[2, 2], [4, 6], [1, 1]]
//   →  setting 1, mean 5, standard error 1. Held-out losses read: 0 before the choice, 2 after it.
Report chosen_and_reported(Bench& bench) { todo(); }

// Part 4 ★★  judged
// The verdict. `ours` are the numbers of a row, measured with several seeds; `control` those of a control
// that must fail; each has at least 2. The tolerance, fixed before, is low … high, both included. With the
// mean m of `ours` and their standard error e as in part 3, the result is {m, from, to, verdict}, where from
// = m - 2e and to = m + 2e. The verdict, the first of these that is true:
//   RowVerdict::no_test   the mean of `control` lies in low … high: the row cannot tell right from wrong
//   RowVerdict::agrees    all of from … to lies in low … high
//   RowVerdict::differs   nothing of from … to lies in low … high
//   RowVerdict::open      otherwise: more seeds are needed
//   ours = [4, 6], control = [20, 20], low = 1, high = 8  →  {5, 3, 7, agrees}
Judged judged(const std::vector<double>& ours, const std::vector<double>& control, double low, double high) {
  todo();
}

// Part 5 ★★★  largest_gaps: an experiment of your own
// The row. Elhage et al. 2022, "Toy Models of Superposition": a network carries five features through two
// dimensions, x' = ReLU(WᵀWx + b), and is trained on Σ importanceᵢ (x'ᵢ - xᵢ)². Feature 0 is the most
// important. With the probability p, its presence, a feature is a number between 0 and 1, each as likely as
// any other; else it is 0. The first figure of the paper names the sparsity 1 - p. It shows: if the features
// are always there (p = 100 %), two of the five survive, at a right angle. At p = 20 % four survive, in two
// opposite pairs. At p = 10 % all five survive, in a pentagon, which we take to be regular. toy.h trains:
// toy::Starts starts(p), with p in per cent, has 4 networks from different first weights. Make one Starts for
// each p. For each p of yours, choose the start with the smallest validation_loss, call starts.choose(start)
// once, and then look(start) once, at this start. Measure the largest of gaps(W). Choose three p or more,
// whole numbers from 5 to 100. Among them must be 100, the control, and one from 5 to 10. Before you run,
// write down what you expect for each; for the pentagon, with your tolerance in a comment.
//   return {{p, the largest gap that you predict, the one that you measured}, …};
std::vector<Trial> largest_gaps() { todo(); }
