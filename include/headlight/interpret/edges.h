// Edges: what a component writes to the residual stream, on its way into one input of a later component.
// Their effects by gradients (edge attribution patching, Syed et al. 2023; with integrated gradients, Hanna
// et al. 2024), and runs without some of them, which is how circuits are found in models too large to patch.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headlight/interpret/head_loss.h"
#include "headlight/interpret/hooks.h"

namespace headlight::interpret {

// Where a component writes to the stream, or reads it.
struct Port {
  std::string name, input;  // "embed", "L0H1", "MLP 0"; "L1H0" and "keys", "MLP 0" and "logits" and ""
  std::string hook;         // of (B,n,d_model), or with `head` of (B,n,heads,d_model)
  std::optional<std::size_t> head;  // of it
  std::size_t place;                // a sender reaches the receivers of higher places
};

struct Edge {
  std::size_t sender, receiver;  // numbers of an EdgeGraph's
};

struct EdgeGraph {
  std::vector<Port> senders;    // the embedding, then heads and MLPs layer by layer
  std::vector<Port> receivers;  // queries, keys and values of each head, MLPs, and last the logits
  std::vector<Edge> edges;      // sender by sender
};

// All edges of a model. Heads that share keys and values have one input of each. Throws Error for an
// encoder–decoder, and for norms after the sums: there no input is a sum of what senders wrote.
EdgeGraph edge_graph(const nn::TransformerConfig& config);

// What all senders write on these tokens.
ActivationCache written_by_senders(const nn::Transformer& model, const EdgeGraph& graph,
                                   const IntArray& tokens);

// Hooks for a pass over a whole batch in which each of these edges carries what its sender wrote in `other`.
// The receiver's other inputs are those of this pass, so without one edge alone this is path patching along
// it, and without all edges the logits are those of the other run. For one pass at a time; graph and `other`
// must outlive them.
nn::Hooks without_edges(const EdgeGraph& graph, const std::vector<std::size_t>& edges,
                        const ActivationCache& other);

// An estimate of the rise of the loss without each edge, of all edges by `steps` backward passes:
//   Σ dL/d(receiver's input) · (z' - z),  z and z' what the sender writes on `batch` and on `other`
// with the gradient's mean over inputs whose embeddings are e' + k/steps (e - e'), k = 1 … steps. One step is
// the gradient on `batch` alone.
std::vector<double> attribute_edges(const nn::Transformer& model, const EdgeGraph& graph,
                                    const tasks::Batch& batch, const tasks::Batch& other, ThreadPool& pool,
                                    std::size_t steps);

}  // namespace headlight::interpret
