// The rows of the parts of one sequence: joined, and added up, over all processes that have some of them.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/train/exchange.h"

namespace headlight::train {

class PartRows {
 public:
  PartRows() = default;
  // `shards` in all, `parts` a sequence. This process has `mine` of one sequence. Throws Error where the
  // exchange does not name a process for each part of it.
  PartRows(Exchange& exchange, std::size_t shards, std::size_t parts, Exchange::Range mine);

  // The rows of each of this process's parts, (1,n/P,w) each → those of all parts (1,n,w).
  std::vector<Tensor> gathered(const std::vector<std::vector<Tensor>>& rows);

  // The cotangents (1,n,w) of a part, which are added to those of its neighbours as soon as these are there.
  void add(std::size_t part, std::vector<Tensor> of_all);

  // For each of this process's parts, its rows (1,n/P,w) of the sum over all parts.
  std::vector<std::vector<Tensor>> take_sums();

 private:
  struct Owner {
    std::size_t process;
    Exchange::Range parts;
  };
  void read_shapes(const std::vector<Tensor>& tensors, std::size_t parts);
  std::vector<ShardSum> swapped_sums();

  Exchange* exchange_ = nullptr;
  std::size_t parts_ = 1;
  Exchange::Range mine_{0, 0};  // parts of the sequence
  std::vector<Owner> others_;
  // Arrays hold the rows of one part after the other, and of each part those of all tensors.
  std::vector<Shape> shapes_;   // of a part's tensors, (1,n/P,w)
  std::size_t numbers_ = 0;     // in all of them
  std::vector<ShardSum> sums_;  // over this process's parts
};

}  // namespace headlight::train
