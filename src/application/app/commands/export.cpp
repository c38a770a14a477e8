#include "headlight/run/export.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/options/output_option.h"
#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "command.h"
#include "headlight/core/ascii.h"
#include "headlight/core/check.h"
#include "headlight/run/run_files.h"
#include "headlight/system/run_main.h"
#include "headlight/system/text.h"

namespace headlight::app {
namespace {

struct ExportOptions {
  std::string folder;
  std::string npz, torch;
};

// Whether Python can import the file: its name is an identifier and ".py".
bool importable(const std::filesystem::path& file) {
  const std::string name = file.stem().string();
  const auto in_name = [](char c) { return ascii::is_letter(c) || ascii::is_digit(c) || c == '_'; };
  return file.extension() == ".py" && !name.empty() && !ascii::is_digit(name[0]) &&
         std::all_of(name.begin(), name.end(), in_name);
}

int export_run(const ExportOptions& o) {
  check(!o.npz.empty() || !o.torch.empty(), "export needs --npz FILE or --torch FILE.py.");
  check_two_files({"--npz", o.npz}, {"--torch", o.torch});
  const std::string weights = (std::filesystem::path(o.folder) / run::files::kModel).string();
  const run::Run run = chosen_run(o.folder);
  if (!o.npz.empty()) {
    run::export_npz(run, o.npz);
    fmt::print("The parameters are in {0}: numpy.load(\"{0}\")\n", printable(o.npz));
  }
  if (!o.torch.empty()) {
    run::export_torch(run, o.torch);
    fmt::print(
        "The model is in {}; it reads {}. This prints the logits after some tokens:\n  python3 {} {} {}\n",
        printable(o.torch), printable(weights), in_command(o.torch), in_command(weights),
        run::torch_example(run.model->config()));
    if (!importable(o.torch))
      note("Note: Python cannot import '{}' as a module: expected letters, digits and _, and then .py.",
           o.torch);
  }
  return 0;
}

}  // namespace

void add_export(CLI::App& program, Action& chosen) {
  auto o = std::make_shared<ExportOptions>();
  CLI::App* command = program.add_subcommand("export", "A run's model for NumPy or PyTorch");
  add_run(*command, o->folder);
  add_output_option(*command, "--npz", o->npz, "Write the parameters as an archive for numpy.load");
  add_output_option(*command, "--torch", o->torch,
                    "Write a PyTorch module that loads model.safetensors and gives the same logits");
  command->footer(
      "\nExamples:\n  ./headlight export runs/demo --npz demo.npz\n  ./headlight export runs/demo --torch "
      "demo.py");
  command->callback([o, &chosen] { chosen = [o](const std::string&) { return export_run(*o); }; });
}

}  // namespace headlight::app
