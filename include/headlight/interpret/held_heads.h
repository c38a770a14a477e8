// Heads whose weights stay as they are while the rest of a model trains.
#pragma once

#include <vector>

#include "headlight/interpret/attention_layers.h"
#include "headlight/train/exchange.h"

namespace headlight::interpret {

// After each step, puts back what the optimizer has changed.
class HeldHeads : public train::Exchange {
 public:
  // The head's numbers as they are now. The model must outlive this.
  void clamp(nn::Transformer& model, const HeadAt& head);

  // The head's part of W_O as 0, so that it writes nothing.
  void zero(nn::Transformer& model, const HeadAt& head);

  void after_step(std::int64_t step, const std::vector<Tensor>& parameters) override;

 private:
  struct Span {
    Tensor parameter;
    std::size_t first;
    std::vector<Real> numbers;
  };
  // `count` columns, or rows, of a matrix, or numbers of a vector, from the first on; nothing if the model
  // has no such parameter.
  void hold_columns(const Tensor& parameter, std::size_t first, std::size_t count);
  void hold_rows(const Tensor& parameter, std::size_t first, std::size_t count);

  std::vector<Span> spans_;
};

}  // namespace headlight::interpret
