// The trained model of a puzzle, and what it does with heads swapped.
#pragma once

#include <filesystem>

#include "headlight/nn/transformer.h"
#include "puzzles.h"

namespace headlight::puzzles {

class PuzzleModel {
 public:
  // Reads the weights from the folder, or trains them (a second or two) and keeps them there. Throws Error
  // for weights that have another hash than the recipe names.
  PuzzleModel(const Puzzle& puzzle, const std::filesystem::path& folder);

  // The model's answers at the last position.
  std::vector<int> answers(const std::vector<Numbers>& inputs) const;

  // The same with the output of these heads at the last position replaced: on inputs[i] they write what they
  // write on from[i].
  std::vector<int> swapped(const std::vector<Numbers>& inputs, const std::vector<Numbers>& from,
                           const interpret::HeadSet& heads) const;

  // How a head divides its attention from the last position: of each input, a weight a position.
  std::vector<std::vector<double>> attention(const std::vector<Numbers>& inputs,
                                             const interpret::HeadAt& head) const;

  // The sha256 of the weights' file.
  const std::string& hash() const { return hash_; }

 private:
  nn::Transformer model_;
  std::string hash_;
};

}  // namespace headlight::puzzles
