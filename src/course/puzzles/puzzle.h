// What the answer to a puzzle is made of: a file in my/ defines these functions. (./headlight puzzle 1
// begins.)
//
// A claim about a head says what it carries to the last position, and what the model makes of it. It is
// tested on many pairs of inputs: the head writes on one input what it wrote on the other (an interchange
// intervention; Geiger et al. 2021), and the model must answer what the claim says. A claim can give every
// answer of the model and still say the wrong thing about the head.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

using Numbers = std::vector<int>;  // numbers from 0; input.back() is the last

inline constexpr int kNowhere = -1;

// The heads in question, "L0H0" or several, "L0H0 L0H1".
std::string heads();

// The position, from 0, at which the (first) head looks most from the last position; kNowhere where it
// divides its attention, so that no position gets three quarters of it.
int looks_at(const Numbers& input);

// What the heads carry to the last position, as a number of your choice.
int carries(const Numbers& input);

// What the model answers on this input if its heads carry this.
int answer(const Numbers& input, int carried);
