// The matrices of a head that do not depend on a sequence: the OV circuit, the QK circuit, and how heads
// compose (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits").
//
// Vectors are rows, as everywhere in Headlight: x W. A norm before a layer is y = x C ⊙ w / scale + b, with
// C = 1 - 11ᵀ/d for layer norm and C = 1 for the other kinds. Everything but the scale is folded into the
// matrices: C diag(w) W, and b W as a part of the constant. So a circuit acts on x/scale. With norms after
// the sums (post) the norms that lie on the way are folded likewise.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "headlight/interpret/attention_layers.h"
#include "headlight/interpret/spectrum.h"

namespace headlight::interpret {

// The matrix left·right, which is only formed when asked for.
struct Factored {
  Array left, right;  // (a,r), (r,b)

  Array product() const;     // (a,b)
  double frobenius() const;  // √Σ (left·right)², from matrices (r,r)
  Svd svd() const;           // of left·right
};

struct CircuitOptions {
  bool fold_norms = true;
  // An input of 1 after the d_model others, which carries the constant part: the norm's b and b_V, b_Q, b_K.
  bool constant = false;
  // For positions that rotate, how far the key is behind the query: position of the query - that of the key.
  int distance = 0;
  // For smeared keys, what a token makes of a key: of its own with the factor σ(α) (0), or of the key after
  // it with the factor 1 - σ(α) (1). Absent: the sum of both, the token's key before it is smeared.
  std::optional<std::size_t> smeared_from = {};
};

// σ(α) of a head with smeared keys, the share of a key's own token; absent for other heads. Throws Error if
// the model has no such head.
std::optional<double> share_of_own_key(const nn::Transformer& model, const HeadAt& at);

// W_V W_O of a head, (d_model,r)·(r,d_model) with r = d_value: what the head writes if it attends to an x.
// With `constant` the left factor has a row more, b W_V + b_V. (b_O belongs to no head.) Query heads that
// share values have the same W_V. Throws Error if the model has no such head.
Factored ov_circuit(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& options = {});

// W_Q R W_Kᵀ/√d_head of a head, (d_model,d_head)·(d_head,d_model): the score of a query x for a key y is
// x·QK·yᵀ. R is the rotation by the distance. Learned scales of a QK norm are folded, so the circuit acts on
// queries and keys divided by their scales. A bias by position and the score cap are not part of it. With
// `constant`, (d_model+1,d_head)·(d_head,d_model+1). Throws Error if the model has no such head, for a
// distance outside the context, and for `smeared_from` that the model cannot have.
Factored qk_circuit(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& options = {});

// What stands at the input of a full circuit: a row for each token, W_E, or for each position, W_pos.
enum class CircuitInput { tokens, positions };

// W_E·OV·W_U (V,r)·(r,V), or W_pos·OV·W_U: row t says how the head changes the logits if it attends to token
// t, with ln_final folded into W_U, and without the scales. With `constant` each row includes the constant
// part. A head of the decoder's cross-attention reads tokens through the encoder's residual stream. Throws
// Error for a head of the encoder, which reaches the logits only through other heads, and for positions that
// values do not see.
Factored full_ov(const nn::Transformer& model, const HeadAt& at, CircuitInput input = CircuitInput::tokens,
                 const CircuitOptions& options = {});

// W_E·QK·W_Eᵀ (V,d_head)·(d_head,V), or with W_pos on either side: which token is a key for which. Positions
// that are added to queries and keys only (learned-qk) are added after the norm, so nothing is folded there.
// With `constant`, rows of W_E include the constant part, and rows of W_pos do not, so that the sum over both
// inputs has it once. Throws Error as qk_circuit does, and for positions without vectors.
Factored full_qk(const nn::Transformer& model, const HeadAt& at, CircuitInput query = CircuitInput::tokens,
                 CircuitInput key = CircuitInput::tokens, const CircuitOptions& options = {});

// What the weights say of one head.
struct HeadCircuit {
  HeadAt at;
  // The eigenvalues λ of W_E·OV·W_U that are not 0 by its rank, largest first: those of the (r,r) matrix that
  // the same factors give in another order. Empty for a head of the encoder.
  std::vector<std::complex<double>> eigenvalues;
  std::optional<double> copying_eigen;   // Σλ/Σ|λ|, in -1 … 1 (Elhage et al. 2021); absent if all are 0
  std::optional<double> copying_olsson;  // see copying_score(); absent likewise
  std::vector<double> ov_singular;       // of ov_circuit, descending
  std::vector<double> qk_singular;       // of qk_circuit at the distance of the options, descending
};

// 4r - 1, r = mean over the rows t of a full OV circuit (V,V) of raise(t,t)/(raise(t,t) + Σ_u raise(t,u)),
// raise(t,u) = max(0, logit(t,u) - mean of row t) (Olsson et al. 2022, appendix; on every token of the
// vocabulary in place of a sample). From -1, a row that never raises its own token, to 1, only that one. Rows
// without any raise do not count. Throws Error unless the matrix is square.
std::optional<double> copying_score(const Factored& full_ov);

// Σλ/Σ|λ| of eigenvalues; absent if all are 0.
std::optional<double> eigenvalue_score(const std::vector<std::complex<double>>& eigenvalues);

// The eigenvalues of left·right that are not 0 by its rank: those of right·left. Throws Error unless
// left·right is square.
std::vector<std::complex<double>> eigenvalues(const Factored& circuit);

// All of this of one head. Throws Error if the model has no such head.
HeadCircuit circuit_of(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& options = {});

// The same of all heads, in the order of attention_layers().
std::vector<HeadCircuit> circuits_of(const nn::Transformer& model, const CircuitOptions& options = {});

// A number for each input of a head: queries, keys and values.
struct ByInput {
  double q = 0, k = 0, v = 0;
};

// How strongly a later head reads what an earlier one writes (Elhage et al. 2021, "Composition"). With rows
// as vectors:
//   q: ‖OV·QK‖/(‖OV‖‖QK‖)   k: ‖QK·OVᵀ‖/(‖OV‖‖QK‖)   v: ‖OV·OV'‖/(‖OV‖‖OV'‖)
// where OV is the earlier head's, QK and OV' the later head's, and ‖‖ the Frobenius norm.
struct Composition {
  HeadAt from, to;
  ByInput ratio;     // the above, in 0 … 1; 0 for a head whose matrices are 0
  ByInput baseline;  // the mean of the same for matrices of these shapes with normal entries
  ByInput score;     // ratio - baseline
};

struct CompositionOptions {
  std::uint64_t seed = 0;
  std::size_t draws = 100;      // of random matrices for the baseline; at least 1
  CircuitOptions circuit = {};  // `constant` has no effect
  Stack stack = Stack::self;    // or the encoder
};

// Of every pair of an earlier and a later head of a stack: earlier heads first by the later head's layer and
// head, then by their own. The baseline depends on shapes and seed only, so it is drawn once. Throws Error
// for cross-attention, whose heads write to one stack and read values from another, and for no draws.
std::vector<Composition> compositions(const nn::Transformer& model, const CompositionOptions& options = {});

}  // namespace headlight::interpret
