// A run's model in the files of others: NumPy and PyTorch.
#pragma once

#include <filesystem>
#include <string>

#include "headlight/nn/transformer.h"
#include "headlight/run/run.h"
#include "headlight/train/safetensors.h"

namespace headlight::run {

// Writes the weights of the run as an .npz archive for numpy.load: one array a parameter, by its
// name, float32, not compressed.
void export_npz(const Run& run, const std::filesystem::path& file);

// The bytes of such an archive. Throws Error when two arrays share a name, or for 4 GiB and more.
std::string npz(const train::NamedArrays& arrays);

// Writes a PyTorch module that computes the logits of this run's model. The file has the model's settings and
// needs no part of Headlight; its load() reads the run's model.safetensors, and its save() writes weights
// that Headlight reads.
std::string torch_module_of(const nn::TransformerConfig& model);
void export_torch(const Run& run, const std::filesystem::path& file);

// Tokens of this model with which the file can be called: "1 2 3", for an encoder-decoder "0 --source 1 2 3".
std::string torch_example(const nn::TransformerConfig& model);

}  // namespace headlight::run
