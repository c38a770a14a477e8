// A model that is trained in a moment.
#pragma once

#include "headlight/run/config.h"

namespace headlight::run {

inline RunConfig small_config() {
  RunConfig c;
  c.task.n_ctx = 16;
  c.task.d_vocab = 12;
  c.model.d_model = 16;
  c.model.n_heads = 2;
  c.model.d_mlp = 24;
  c.train.batch = 12;
  c.train.shards = 4;
  return c;
}

}  // namespace headlight::run
