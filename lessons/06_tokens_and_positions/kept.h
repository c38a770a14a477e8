// What later lessons use of lesson 6. There it is what you wrote, once you have solved it.
#pragma once

#include "exercise.h"
#include "headlight/core/math.h"  // the solution includes it, and stands inside a namespace

namespace lesson_06 {

// For each token its row of the table: table (V,d), tokens (…) → (…,d), on the tape.
Tensor embed(const Tensor& table, const IntArray& tokens);

// The table (n,d): sin(p·10000^(-2i/d)) in row p and column 2i, the cosine in column 2i + 1. Each row has the
// length √(d/2).
Tensor sinusoidal_table(std::size_t n, std::size_t d);

}  // namespace lesson_06
