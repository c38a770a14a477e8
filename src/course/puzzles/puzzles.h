// The puzzles: models that compute something, and a head to explain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "headlight/interpret/ablation.h"
#include "puzzle.h"

namespace headlight::puzzles {

// How a puzzle's model is trained: inputs of one length, of which the model answers at the last position.
struct Recipe {
  int numbers = 0, length = 0;  // an input has so many numbers, each from 0 below `numbers`
  std::size_t layers = 1, heads = 1;
  bool mlp = false;
  std::function<int(const Numbers&)> target;
  std::function<bool(const Numbers&)> trained_on = {};  // nothing: every input
  int steps = 1500;
  std::uint64_t seed = 0;
  std::string hash;  // sha256 of the trained weights' file
};

struct Puzzle {
  int number = 0, stars = 1;
  std::string question;
  Recipe recipe;
  interpret::HeadSet heads;      // that the puzzle is about
  bool heads_are_asked = false;  // then the answer must name them
  bool looks_count = true;       // false: where they look is no simple rule
  std::function<bool(const Numbers&)> asked =
      {};  // the inputs on which a claim is tested; nothing: every input
  std::vector<std::string> hints;
  std::string explanation;
};

const std::vector<Puzzle>& puzzles();

// Throws Error, which says how many there are, for a number that none has.
const Puzzle& puzzle(int number);

// The inputs of a puzzle, in order: those of which `which` is true (all without one).
std::vector<Numbers> inputs_of(const Recipe& recipe, const std::function<bool(const Numbers&)>& which);

}  // namespace headlight::puzzles
