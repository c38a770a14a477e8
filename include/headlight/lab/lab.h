// A model to play with: what the laboratory in a page asks of the engine.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headlight/interpret/ablation.h"
#include "headlight/nn/by_hand.h"
#include "headlight/run/config.h"
#include "headlight/run/run.h"
#include "headlight/train/trainer.h"

namespace headlight::lab {

inline constexpr std::size_t kMeanSequences = 64;  // whose mean takes the place of a head that is off

// Of weights, gradients and activations together, in bytes: what a page can take beside itself.
inline constexpr double kMostMemory = 512.0 * (1 << 20);

// Why a Lab refuses such a model and its training: it takes tasks of the registry, no text, decoders, whole
// sequences, and at most kMostMemory. Empty if it takes them.
std::string refusal(const run::RunConfig& config, const tasks::Task& task, const nn::Transformer& model);

// What is changed in a forward pass.
struct Changes {
  interpret::HeadSet off = {};
  interpret::Ablation way =
      interpret::Ablation::mean;  // what takes their place; means are of fresh sequences
  struct Edge {
    interpret::HeadAt head;
    std::size_t query = 0, key = 0;
  };
  std::vector<Edge> cut = {};              // weights that become 0
  std::vector<std::size_t> mlps_off = {};  // layers whose MLP is off, in the same way
  struct Patch {
    interpret::HeadSet heads;
    std::vector<std::int32_t> tokens;  // as many as are read
  };
  Patch patch = {};  // these heads write what they write on these tokens
};

// One sequence, read by the model.
struct Look {
  Array patterns;       // (layers,H,n,n)
  Array probabilities;  // (n,d_vocab): of the next token
  Array lens;  // (layers,n,d_vocab): what they would be after the embedding and each layer but the last
};

// A decoder and its training. Several labs of one config can share a step: each computes the gradients of its
// shards, and all take the same step, with the bits of a single one.
class Lab {
 public:
  // A model with the weights that the config's seed gives. This lab computes shards first … last-1; by
  // default all. Throws Error for a config that `train` would refuse, and as refusal() says.
  explicit Lab(const run::RunConfig& config);
  Lab(const run::RunConfig& config, train::Exchange::Range shards);
  ~Lab();

  const run::RunConfig& config() const;
  const tasks::Task& task() const;
  const nn::Transformer& model() const;
  std::int64_t steps_done() const;

  // The bytes of the model.safetensors that `train` would write, and weights from such a file. New weights
  // begin a new training. Throws Error for weights of another model.
  std::string weights() const;
  void set_weights(std::string_view safetensors);

  // From here on these heads write nothing: their parts of W_O are 0, and stay so until there are new
  // weights.
  void silence(const interpret::HeadSet& heads);

  // A step, in two parts. The first computes the gradients of this lab's shards and returns their sums; the
  // second takes those of the other labs, in any order, and changes the weights.
  std::string gradients();
  train::StepReport apply(const std::vector<std::string_view>& others);

  // Keeps the weights as they are, as those after so many steps, `loss` being that of the last step's batch.
  // Steps must be kept in their order. run() is the run with what was kept and these weights as its model,
  // measured as Experiment::measure() does. Throws Error if nothing was kept.
  void keep(std::int64_t steps, double seconds, double loss);
  run::Run run() const;

  // A sequence of the task as in training, of a stream that training does not draw from.
  tasks::Sequence sequence(std::uint64_t number) const;

  Look look(const std::vector<std::int32_t>& tokens, const Changes& changes) const;

  // On so many fresh sequences.
  train::Evaluation evaluate(const Changes& changes, std::size_t sequences) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The transformer of nn/by_hand.h on the task "repeat". The scales multiply the attention logits of layer 0
// and of layer 1, and the logits: 1 leaves them as they are.
std::unique_ptr<Lab> by_hand(nn::Broken broken, double first, double second, double output);

}  // namespace headlight::lab
