// Ten steps of training in float.
#include <cstdio>

#include "headlight/core/real.h"
#include "headlight/train/checkpoint.h"
#include "headlight/train/trainer.h"

int main() {
  using namespace headlight;
  static_assert(!kDouble);
  train::RunConfig config;
  config.train.batch = 8;
  const auto task = tasks::make_task(config.task);
  const auto model = train::make_model(config);
  ThreadPool pool(2);
  train::Trainer trainer(*model, *task, config.train, pool);
  for (int i = 0; i < 10; ++i) trainer.step();
  std::puts("trained");
}
