// The report: one HTML file that shows a run, opens from disk and needs no network.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/interpret/scores.h"

namespace headlight::report {

// Attention patterns of all heads on one sequence, as the page carries them: of each causal pattern (n,n)
// only the rows' parts up to the diagonal, as whole numbers of 8 or 16 bits. A large pattern can be made
// smaller: each cell is then the largest of cell × cell weights.
class PackedPatterns {
 public:
  // Throws Error unless bits is 8 or 16 and cell at least 1.
  explicit PackedPatterns(int bits = 8, std::size_t cell = 1);

  // Appends patterns (…,n,n), head by head.
  void add(const Array& patterns);

  int bits() const { return bits_; }
  std::size_t cell() const { return cell_; }
  const std::string& bytes() const { return bytes_; }

  // Bytes that one pattern (n,n) takes.
  static std::size_t bytes_of_pattern(std::size_t n, int bits, std::size_t cell);

 private:
  int bits_;
  std::size_t cell_;
  std::string bytes_;  // little-endian
};

// A token of the vocabulary and its probability.
struct Guess {
  std::int32_t token;
  double probability;
};

struct PageSequence {
  std::string label;  // "segment of 12 tokens, never trained on"
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> targets;  // the token after each; -1 where there is none
  std::vector<bool>
      predictable;  // of each target: whether it follows from the tokens before; empty: not known
  std::vector<std::vector<Guess>> guesses;  // at each position, the most likely first
  PackedPatterns patterns;                  // of all heads, layer by layer
};

// The figures of one measured step.
struct PageFigures {
  std::int64_t step;
  double accuracy_predictable, loss_predictable, loss_unpredictable;
  std::vector<interpret::HeadScores> heads;
};

// How the patterns on the first sequence changed along training.
struct PageHistory {
  std::vector<std::int64_t> steps;
  PackedPatterns patterns;  // of all heads at the first step, then at the second, …
};

struct Page {
  std::string title;                    // the run's name
  std::string verdict;                  // what was found, in a sentence
  std::vector<std::string> vocabulary;  // what each token looks like; any text
  std::size_t n_layers = 0, n_heads = 0;
  std::vector<interpret::HeadScores> scores;  // of the trained model
  std::vector<PageSequence> sequences;
  PageHistory history;
  std::vector<PageFigures> figures;
  std::vector<std::pair<std::string, std::string>> results, settings;  // what the last section lists
};

// The page as bytes of a UTF-8 HTML file. Nothing in the page's texts is ever taken for markup or script.
std::string report_page(const Page& page);

// "5OmZ" for bytes, RFC 4648.
std::string base64(const std::string& bytes);

}  // namespace headlight::report
