// A model that is trained in a moment.
#pragma once

#include "headlight/train/config.h"

namespace headlight::train {

inline RunConfig small_config() {
  RunConfig c;
  c.task.n_ctx = c.model.n_ctx = 16;
  c.task.d_vocab = c.model.d_vocab = 12;
  c.model.d_model = 16;
  c.model.n_heads = 2;
  c.model.d_mlp = 24;
  c.train.batch = 12;
  c.train.shards = 4;
  return c;
}

}  // namespace headlight::train
