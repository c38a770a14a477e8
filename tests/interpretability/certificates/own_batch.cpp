// own_batch RUN FILE: writes FILE.py, the run's model as a PyTorch module; FILE.batch, 256 sequences that its
// task draws; and FILE.subsets, those of `ablate --subsets`. truth.py intervenes on the module, subsets.py
// too.
#include "headlight/run/export.h"
#include "headlight/run/run.h"
#include "headlight/studies/head_studies.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/weights.h"

using namespace headlight;

namespace {

template <class T>
Array as_reals(const T& x) {
  Array reals = empty_array(Shape(x.shape().begin(), x.shape().end()));
  for (std::size_t i = 0; i < x.size(); ++i) reals.data()[i] = static_cast<Real>(x.data()[i]);
  return reals;
}

}  // namespace

int main(int argc, char** argv) {
  return run_main([&] {
    check(argc == 3, "usage: own_batch RUN FILE");
    const run::Run run = run::read_run(argv[1], run::Parts::model);
    const tasks::Batch batch =
        tasks::draw_batch(run.task, run.task.training, 256, Rng(run.config.train.seed).stream("truth"));
    Array plain = full_array({run.model->config().d_vocab}, 1);  // 0: special tokens, which keep their names
    for (const std::int32_t token : run.task.special) plain(static_cast<std::size_t>(token)) = 0;
    const Array tokens = as_reals(batch.tokens), targets = as_reals(batch.targets),
                predictable = as_reals(batch.predictable);
    write_file(std::string(argv[2]) + ".py", run::torch_module_of(run.model->config()));
    train::save_safetensors(
        std::string(argv[2]) + ".batch",
        {{"tokens", &tokens}, {"targets", &targets}, {"predictable", &predictable}, {"plain", &plain}});
    const tasks::Batch measured = studies::study_batch(run, 256),
                       means = tasks::draw_batch(run.task, run.task.training, 1024,
                                                 Rng(run.config.train.seed).stream("study, replaced by"));
    const Array asked = as_reals(measured.tokens), answers = as_reals(measured.targets),
                counted = as_reals(measured.predictable), averaged = as_reals(means.tokens);
    train::save_safetensors(
        std::string(argv[2]) + ".subsets",
        {{"tokens", &asked}, {"targets", &answers}, {"predictable", &counted}, {"means", &averaged}});
  });
}
