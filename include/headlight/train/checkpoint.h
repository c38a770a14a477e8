// Save and load a module, with what its training needs to go on, in one file.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "headlight/core/rng.h"
#include "headlight/nn/module.h"
#include "headlight/optim/optimizer.h"

namespace headlight::train {

class Trainer;

// Numbers of your own by name, such as an epoch or the best loss so far. They are finite.
using Numbers = std::map<std::string, double>;

// What a file holds: parameters by name, and what there is of the rest.
struct Checkpoint {
  nn::NamedParameters parameters;
  optim::Optimizer* optimizer =
      nullptr;  // its parameters are among them; its steps_done() are the training's
  Rng* rng = nullptr;
  Trainer* trainer = nullptr;  // instead of an optimizer: it has its own
  Numbers* numbers = nullptr;
};

// Writes a safetensors file, aside and then renamed.
void save_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);

// Reads such a file, and changes nothing unless all of it fits. Throws FileError that names the file when a
// part is missing, unknown, not finite or of another shape, and for an optimizer of another kind, whose names
// are in the message. (Files of older versions lack the kind, the learning rate and numbers. The optimizer
// then keeps its rate, and its kind is told by its arrays.)
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

// A training that can go on: after load() it takes the steps, bit for bit, that it would have taken. The file
// has the learning rate; the other settings are those with which you make the optimizer, or the trainer's
// config.
template <class M>
void save(const std::filesystem::path& file, const M& module, optim::Optimizer& optimizer, Rng& rng,
          Numbers numbers = {}) {
  save_checkpoint(file, {nn::named_parameters(module), &optimizer, &rng, nullptr, &numbers});
}
template <class M>
void load(const std::filesystem::path& file, M& module, optim::Optimizer& optimizer, Rng& rng) {
  load_checkpoint(file, {nn::named_parameters(module), &optimizer, &rng});
}
template <class M>
void load(const std::filesystem::path& file, M& module, optim::Optimizer& optimizer, Rng& rng,
          Numbers& numbers) {
  load_checkpoint(file, {nn::named_parameters(module), &optimizer, &rng, nullptr, &numbers});
}

// The same of a trainer: its steps, and with them its schedule and the order of its examples; its optimizer;
// and, with a moving average, the weights that are trained.
template <class M>
void save(const std::filesystem::path& file, const M& module, Trainer& trainer, Numbers numbers = {}) {
  save_checkpoint(file, {nn::named_parameters(module), nullptr, nullptr, &trainer, &numbers});
}
template <class M>
void load(const std::filesystem::path& file, M& module, Trainer& trainer) {
  load_checkpoint(file, {nn::named_parameters(module), nullptr, nullptr, &trainer});
}
template <class M>
void load(const std::filesystem::path& file, M& module, Trainer& trainer, Numbers& numbers) {
  load_checkpoint(file, {nn::named_parameters(module), nullptr, nullptr, &trainer, &numbers});
}

}  // namespace headlight::train
