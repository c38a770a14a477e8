// The trained model of a puzzle, and what it does with heads swapped.
#pragma once

#include <filesystem>

#include "headlight/nn/transformer.h"
#include "headlight/train/trainer.h"
#include "puzzles.h"

namespace headlight::puzzles {

nn::TransformerConfig config_of(const Recipe& recipe);
train::TrainConfig training_of(const Recipe& recipe);

// Trains a model that has its initial weights from the recipe's seed.
using AfterStep = std::function<void(const train::StepReport&)>;
void train_model(nn::Transformer& model, const Recipe& recipe, const AfterStep& after = {});

class PuzzleModel {
 public:
  // Reads the weights from the folder, or trains them (a second or two) and keeps them there. Throws Error
  // for weights that have another hash than the recipe names.
  PuzzleModel(const Puzzle& puzzle, const std::filesystem::path& folder);

  // The model's answers at the last position.
  std::vector<int> answers(const std::vector<Numbers>& inputs) const;

  // The same with the output of these heads replaced, at the last position or everywhere: on inputs[i] they
  // write what they write on from[i].
  enum class Where { last, everywhere };
  std::vector<int> swapped(const std::vector<Numbers>& inputs, const std::vector<Numbers>& from,
                           const interpret::HeadSet& heads, Where where = Where::last) const;

  // How a head divides its attention from the position `query`: of each input, a weight for each position up
  // to that.
  std::vector<std::vector<double>> attention(const std::vector<Numbers>& inputs,
                                             const interpret::HeadAt& head, std::size_t query) const;

  // The sha256 of the weights' file.
  const std::string& hash() const { return hash_; }

 private:
  nn::Transformer model_;
  std::string hash_;
};

}  // namespace headlight::puzzles
