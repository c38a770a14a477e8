// Errors of files have a type of their own; mistakes of a program have not.
#include "headlight/system/file_error.h"

#include <functional>

#include "catch.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/run/experiment.h"
#include "headlight/run/run_files.h"
#include "headlight/run/run_list.h"
#include "headlight/system/file_kind.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/system/plugin.h"
#include "headlight/tasks/text.h"
#include "headlight/train/checkpoint.h"
#include "headlight/train/data.h"
#include "headlight/train/history.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/trainer.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

// "FileError" or "Error", whichever the call throws.
std::string kind_of_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const FileError&) {
    return "FileError";
  } catch (const Error&) {
    return "Error";
  }
  return "nothing";
}

fs::path written(const fs::path& file, const std::string& text) {
  write_file(file, text);
  return file;
}

fs::path written_run(const fs::path& folder) {
  run::RunConfig config = run::small_config();
  config.train.steps = 2;
  run::Experiment experiment(config, {.threads = 1});
  experiment.run_until(2);
  run::write_run(folder, experiment.measure());
  return folder;
}

// The run without a part of this file's bytes.
void cut(const fs::path& file) { write_file(file, read_file(file).substr(0, fs::file_size(file) / 2)); }

}  // namespace

TEST_CASE("errors of files are FileErrors, and others are not", "[run][files]") {
  const TemporaryFolder temporary;
  const fs::path at = temporary.path(), gone = at / "gone", saved = written_run(at / "run");
  Rng rng(0);
  nn::Linear small(2, 2, rng), large(3, 3, rng);
  optim::Adam adam(nn::parameters(small), 0.01);
  const fs::path module = at / "module.safetensors", damaged = written(at / "damaged", "not one");
  train::save(module, small);
  ThreadPool pool(1);
  const auto train_with = [&](const std::function<Tensor()>& loss) {
    return [&, loss] {
      train::Trainer(nn::parameters(small), train::Loss([&](const train::Examples&) {
                       return train::SummedLoss{loss(), 1};
                     }),
                     train::TrainConfig{}, pool)
          .step();
    };
  };
  const auto without = [&](const char* file) {
    return [&, file] {
      const fs::path copy = at / (std::string("without_") + file);
      fs::copy(saved, copy, fs::copy_options::recursive);
      cut(copy / file);
      run::read_run(copy);
    };
  };
  const FolderLock lock(at / "locked");
  run::RunConfig impossible;
  impossible.model.n_heads = 3;

  const std::vector<std::tuple<const char*, const char*, std::function<void()>>> table{
      {"FileError", "a missing file", [&] { read_file(gone); }},
      {"FileError", "a folder as a file", [&] { read_file(at); }},
      {"FileError", "a file that is too long", [&] { read_file(damaged, 3); }},
      {"FileError", "a folder that is written", [&] { write_file(at, "text"); }},
      {"FileError", "a place below a file", [&] { write_file(damaged / "below", "text"); }},
      {"FileError", "a folder below a file", [&] { make_folder(damaged / "below"); }},
      {"FileError", "a folder in use", [&] { FolderLock second(at / "locked"); }},
      {"FileError", "a file in a folder's place", [&] { FolderLock::resolve(damaged); }},
      {"FileError", "a picture over a text",
       [&] { check_same_kind(damaged, {.flag = "-o", .name = "SVG", .begin = "<svg"}); }},
      {"FileError", "a missing plug-in", [&] { system::symbol_of(gone, "name"); }},
      {"FileError", "a text that is missing",
       [&] { tasks::text_task({.name = "text", .text = gone.string()}); }},
      {"FileError", "a table without numbers", [&] { train::read_csv(written(at / "no.csv", "a,b\n")); }},
      {"FileError", "a table with a gap", [&] { train::read_csv(written(at / "gap.csv", "1,2\n3,\n")); }},
      {"FileError", "a table with a short line",
       [&] { train::read_csv(written(at / "short.csv", "1,2\n3\n")); }},
      {"FileError", "no safetensors", [&] { train::load_safetensors(damaged); }},
      {"FileError", "weights of another model", [&] { train::load(module, large); }},
      {"FileError", "a module where a training is wanted", [&] { train::load(module, small, adam, rng); }},
      {"FileError", "snapshots without a step",
       [&] { train::snapshots_from(train::load_safetensors(module), "module"); }},
      {"FileError", "no run", [&] { run::read_run(gone); }},
      {"FileError", "a folder that is no run", [&] { run::read_run(at); }},
      {"FileError", "no folder of runs", [&] { run::listed_runs({gone}); }},
      {"FileError", "a cut config", without(run::files::kConfig)},
      {"FileError", "cut results", without(run::files::kSummary)},
      {"FileError", "a cut model", without(run::files::kModel)},
      {"FileError", "cut metrics", without(run::files::kMetrics)},
      {"FileError", "a cut state", without(run::files::kState)},
      {"FileError", "a loss that reads", train_with([&] { return Tensor(train::read_csv(gone).numbers); })},

      {"Error", "a loss of wrong shapes", train_with([&] {
         return matmul(ones({2, 3}), ones({2, 3}));
       })},
      {"Error", "wrong shapes",
       [&] {
         matmul(ones({2, 3}), ones({2, 3}));
       }},
      {"Error", "no such column",
       [&] { (void)train::read_csv(written(at / "one.csv", "a,b\n1,2\n")).column("c"); }},
      {"Error", "two arrays of one name",
       [&] {
         const Array x{1, 2};
         train::to_safetensors({{"x", &x}, {"x", &x}});
       }},
      {"Error", "an optimizer of another module", [&] { train::save(gone, large, adam, rng); }},
      {"Error", "an impossible config", [&] { run::Experiment{impossible}; }},
  };
  for (const auto& [expected, what, call] : table) {
    INFO(what);
    CHECK(kind_of_error(call) == expected);
  }
}
