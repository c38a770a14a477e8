// Text that a model writes, and what of it can be checked.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "headlight/nn/decoding.h"
#include "headlight/nn/sample.h"
#include "training.h"

namespace headlight::lesson {

// So many characters after the prompt, each of which next(logits, V) chooses. Where the context is full, the
// model goes on from its last three quarters.
template <class Next>
std::string written(const Trained& t, const std::vector<std::int32_t>& prompt, std::size_t characters,
                    const Next& next) {
  std::vector<std::int32_t> tokens = prompt;
  std::string text;
  auto decoding = std::make_unique<nn::Decoding>(t.model);
  Array logits = decoding->read(tokens);
  for (std::size_t i = 0; i < characters; ++i) {
    const std::size_t V = t.task.config.d_vocab, last = logits.shape()[0] - 1;
    tokens.push_back(next(&logits(last, 0), V));
    text += t.task.vocabulary.bytes(tokens.back());
    if (decoding->length() < t.recipe.n_ctx) {
      logits = decoding->read({tokens.back()});
    } else {
      decoding = std::make_unique<nn::Decoding>(t.model);
      logits =
          decoding->read({tokens.end() - static_cast<std::ptrdiff_t>(3 * t.recipe.n_ctx / 4), tokens.end()});
    }
  }
  return text;
}

inline std::string written(const Trained& t, const std::vector<std::int32_t>& prompt, std::size_t characters,
                           const nn::SampleOptions& options, std::uint64_t seed) {
  Rng rng(seed);
  return written(t, prompt, characters,
                 [&](const Real* logits, std::size_t V) { return nn::sample(logits, V, options, rng); });
}

// Of the lines "let NAME; …": how often a name is used, and how often it is the one that the line declared.
struct Uses {
  std::size_t all = 0, right = 0;
};

inline Uses uses_of(const std::string& text) {
  Uses uses;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("let ")) continue;
    std::vector<std::string> names;
    std::string name;
    for (const char c : line.substr(4) + ";")
      if (c >= 'a' && c <= 'z') {
        name += c;
      } else {
        if (name.size() > 1) names.push_back(name);  // not f or g
        name.clear();
      }
    for (std::size_t i = 1; i < names.size(); ++i) {
      ++uses.all;
      if (names[i] == names[0]) ++uses.right;
    }
  }
  return uses;
}

}  // namespace headlight::lesson
