// Save and load a module, with what its training needs to go on, in one file.
#pragma once

#include <filesystem>

#include "headlight/core/rng.h"
#include "headlight/nn/module.h"
#include "headlight/optim/optimizer.h"

namespace headlight::train {

// What a file holds: parameters by name, and what there is of the rest.
struct Checkpoint {
  nn::NamedParameters parameters;
  optim::Optimizer* optimizer =
      nullptr;  // its parameters are among them; its steps_done() are the training's
  Rng* rng = nullptr;
};

// Writes a safetensors file, aside and then renamed.
void save_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);

// Reads such a file, and changes nothing unless all of it fits. Throws Error that names the file when a part
// is missing, unknown, not finite or of another shape, and for an optimizer of another kind.
void load_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);

// A module alone. Other programs that read safetensors find its parameters by their names.
template <class M>
void save(const std::filesystem::path& file, const M& module) {
  save_checkpoint(file, {nn::named_parameters(module)});
}
template <class M>
void load(const std::filesystem::path& file, M& module) {
  load_checkpoint(file, {nn::named_parameters(module)});
}

// A training that can go on: after load() it takes the steps, bit for bit, that it would have taken.
template <class M>
void save(const std::filesystem::path& file, const M& module, optim::Optimizer& optimizer, Rng& rng) {
  save_checkpoint(file, {nn::named_parameters(module), &optimizer, &rng});
}
template <class M>
void load(const std::filesystem::path& file, M& module, optim::Optimizer& optimizer, Rng& rng) {
  load_checkpoint(file, {nn::named_parameters(module), &optimizer, &rng});
}

}  // namespace headlight::train
