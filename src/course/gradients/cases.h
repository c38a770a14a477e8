// What the ledger's cases share.
#pragma once

#include <string>
#include <vector>

#include "gradients/attention_by_hand.h"
#include "gradients/ledger.h"
#include "gradients/matrix.h"
#include "headlight/nn/attention.h"

namespace headlight::ledger {

// A multi-head attention whose gradients are listed.
struct AttentionCase {
  nn::MultiHeadAttentionConfig config;
  std::size_t batch = 2, n = 4, m = 4;
  bool cross = false;                         // keys and values from another sequence, of m positions
  std::optional<BoolArray> mask = {};         // (B,1,n,m)
  bool score_bias = false;                    // a bias (H,n,m) on the scores, differentiated too
  std::optional<std::size_t> window = {};     // query i sees keys j with |i - j| < window
  std::optional<std::size_t> distances = {};  // a bias (H,distances) on i - j, differentiated too
};
std::vector<Quantity> run_attention(const std::string& name, const AttentionCase& c);

std::vector<Quantity> run_block();
std::vector<Quantity> run_model();
std::vector<Quantity> run_rms_norm();
std::vector<Quantity> run_swiglu();
std::vector<Quantity> run_smear();
std::vector<Quantity> run_smoothing();
std::vector<Quantity> run_grouped_heads();
std::vector<Quantity> run_sinks();
std::vector<Quantity> run_cap();

// Adds the other three computations to the hand-written gradients of the leaves.
std::vector<Quantity> measure(const NamedTensors& leaves, const by_hand::NamedMatrices& hand,
                              const Tensor& on_tape, const std::function<Tensor()>& production,
                              const Array& u);

// The formula of a gradient, by the last part of its parameter's name; "" for an unknown name.
std::string formula_of(const std::string& parameter);

std::vector<double> values_of(const Tensor& x);
void append(std::vector<double>& all, const by_hand::Matrix& part);

// The matrix of sequence b in x (B,n,d); and a parameter as a matrix, a vector as one row.
by_hand::Matrix sequence(const Tensor& x, std::size_t b);
by_hand::Matrix weight(const Tensor& parameter);

// Adds N(0, 0.5²) to every number: biases and norms start at 0 and 1, where mistakes do not show.
void stir(const NamedTensors& parameters, Rng& rng);

double dot(const Array& x, const Array& y);

}  // namespace headlight::ledger
