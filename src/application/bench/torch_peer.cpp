#include "torch_peer.h"

#include <fmt/ranges.h>

#include "headlight/core/check.h"
#include "headlight/core/numbers.h"
#include "headlight/system/machine.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"

namespace headlight::bench {

TorchPeer::TorchPeer() {
  for (const char* python : {"python3", "/usr/bin/python3"})  // the first may be a virtual environment's
    if (run_process({.words = {python, "-c", "import torch"}}).ok()) {
      python_ = python;
      return;
    }
}

PeerTiming TorchPeer::time_steps(const BenchConfig& c, const std::string& setting) const {
  const auto number = [](std::size_t x) { return std::to_string(x); };
  // The program stands in build/PRESET of the project.
  const std::filesystem::path project = system::program_file().parent_path().parent_path().parent_path();
  std::vector<std::string> words{python_,           (project / "bench/torch_step.py").string(),
                                 number(c.d_model), number(c.n_heads),
                                 number(c.n_ctx),   number(c.batch),
                                 number(c.d_mlp),   number(c.n_layers),
                                 number(c.d_vocab), nn::to_string(c.norm)};
  if (!setting.empty()) words.push_back(setting);
  const Ended result = run_process({.words = words});
  const std::vector<std::string> said = text_words(result.output);
  check(result.ok() && said.size() >= 4, "the PyTorch step did not finish. Hint: run it yourself: {}",
        fmt::join(words, " "));
  return {number_from_text<double>(said[0]), number_from_text<double>(said[1]), said[2], said[3]};
}

}  // namespace headlight::bench
