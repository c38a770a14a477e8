// What exercise 2 starts from: the lesson's tape, with +, − and the product.
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace headlight::scalar_tape {

// One input of a number: its place on the tape, and how much the number moves when that input moves.
struct Edge {
  std::size_t input;
  double derivative;
};

// One number that was computed.
struct Entry {
  const char* op;
  double value;
  std::vector<Edge> edges;
};

// All numbers in the order in which they were computed.
using Tape = std::vector<Entry>;

// A number that is written on a tape.
struct Scalar {
  Tape* tape;
  std::size_t place;
  double value() const { return (*tape)[place].value; }
};

// Adds an entry at the end of the tape. Without edges it is an input of the whole formula.
inline Scalar write(Tape& tape, const char* op, double value, std::vector<Edge> edges = {}) {
  tape.push_back({op, value, std::move(edges)});
  return {&tape, tape.size() - 1};
}

inline Scalar operator+(const Scalar& a, const Scalar& b) {
  return write(*a.tape, "+", a.value() + b.value(), {{a.place, 1}, {b.place, 1}});
}

inline Scalar operator-(const Scalar& a, const Scalar& b) {
  return write(*a.tape, "-", a.value() - b.value(), {{a.place, 1}, {b.place, -1}});
}

inline Scalar operator*(const Scalar& a, const Scalar& b) {
  return write(*a.tape, "*", a.value() * b.value(), {{a.place, b.value()}, {b.place, a.value()}});
}

// A double beside a Scalar is a constant. Nobody asks for its derivative, so it gets no edge.
inline Scalar operator+(const Scalar& a, double k) {
  return write(*a.tape, "+", a.value() + k, {{a.place, 1}});
}
inline Scalar operator*(const Scalar& a, double k) {
  return write(*a.tape, "*", a.value() * k, {{a.place, k}});
}
inline Scalar operator+(double k, const Scalar& a) { return a + k; }
inline Scalar operator*(double k, const Scalar& a) { return a * k; }
inline Scalar operator-(const Scalar& a, double k) { return a + -k; }

// The curve y = ax / (x + b).
struct Curve {
  double a, b;
};

// Points near such a curve.
inline const std::vector<double> kXs = {0.5, 1, 2, 4}, kYs = {0.7, 0.9, 1.4, 1.6};

// A function of several numbers.
using Function = std::function<double(const std::vector<double>&)>;

}  // namespace headlight::scalar_tape

using namespace headlight::scalar_tape;
