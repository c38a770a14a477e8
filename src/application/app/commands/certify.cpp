#include <fmt/core.h>

#include "app/output/json.h"
#include "headlight/core/check.h"
#include "headlight/draw/color.h"
#include "headlight/draw/table.h"
#include "headlight/interpret/evidence.h"
#include "headlight/studies/certificate.h"
#include "headlight/system/json.h"
#include "headlight/system/run_main.h"
#include "program/exit_status.h"
#include "prove.h"

namespace headlight::app {
namespace {

struct CertifyOptions {
  std::string folder;
  bool json = false, controls = false, by_hand = false;
  std::size_t seeds = 0;
  int threads = 0;
  ProofOptions proof;
};

std::vector<studies::Control> chosen_controls(const CertifyOptions& options) {
  std::vector<studies::Control> controls = studies::controls_by_hand();
  if (options.by_hand) return controls;
  const auto trained =
      options.seeds > 0 ? studies::demo_controls(options.seeds) : studies::trained_controls();
  if (options.seeds > 0) return trained;
  controls.insert(controls.end(), trained.begin(), trained.end());
  return controls;
}

// Exit status 0 when each verdict is the right one.
int certify_controls(const CertifyOptions& options) {
  ThreadPool pool(options.threads);
  std::size_t right = 0, count = 0;
  draw::Table table{studies::control_head(), {}};
  for (const studies::Control& control : chosen_controls(options)) {
    const interpret::Certificate certificate = control.certify(pool);
    const bool as_known = studies::as_known(control, certificate);
    right += as_known ? 1 : 0;
    ++count;
    table.rows.push_back(studies::control_row(control, certificate));
    note("{:<26} {}{}", control.name, interpret::to_string(certificate.verdict),
         as_known ? "" : ": NOT AS KNOWN");
  }
  fmt::print("{}\n{} of {} verdicts are right.\n", draw::terminal_table(table), right, count);
  return right == count ? 0 : kNotFound;
}

const char* known(const std::string& kind) {
  return interpret::to_string(interpret::evidence_kind(kind).how);
}

int certify(const CertifyOptions& options, const Prove& prove) {
  if (options.controls || options.by_hand || options.seeds > 0) {
    check(options.folder.empty() && !options.json && !options.proof.any(),
          "the controls need no run folder and have no JSON: give either a folder or --controls.");
    return certify_controls(options);
  }
  check(!options.folder.empty(), "expected a run folder, or --controls.");
  check(prove || !options.proof.any(),
        "proofs belong to another program: ./headlight certify builds and starts it.");
  ThreadPool pool(options.threads);
  if (options.proof.any()) return prove(options.folder, options.proof, options.json, pool);
  const interpret::Certificate certificate =
      run::certify(chosen_run(options.folder, run::parts::kTrained | run::Parts::snapshots), pool);
  if (options.json) {
    ordered_json json = json_of("certify", options.folder);
    json.update(json_from<ordered_json>(run::to_json(certificate)));
    for (const interpret::Claim& claim : certificate.claims)
      if (claim.number) json["known"][claim.key] = known(claim.key);
    json["said"] = ordered_json::array();
    for (const interpret::Said& part : interpret::said(certificate))
      json["said"].push_back({{"text", part.text}, {"known", known(part.kind)}});
    print_json(json);
  } else {
    fmt::print("{}", studies::certificate_text(certificate, draw::terminal_columns()));
  }
  return certificate.verdict == interpret::Verdict::circuit ? 0 : kNotFound;
}

}  // namespace

void add_certify(CLI::App& program, Action& chosen, const Prove& prove) {
  auto options = std::make_shared<CertifyOptions>();
  CLI::App* command = program.add_subcommand(
      "certify", "Whether a run's model has an induction circuit: six claims, each tested");
  command->add_option("DIR", options->folder, "Run folder");
  command->add_flag("--json", options->json, "The certificate as JSON");
  command->add_flag("--controls", options->controls,
                    "Certify models whose circuit is known: set by hand, and trained here (a minute or two)");
  command->add_flag("--by-hand", options->by_hand, "Only the controls that are set by hand");
  command->add_option("--seeds", options->seeds, "The demo's model instead, trained from so many seeds");
  command->add_option(
      "--all-inputs", options->proof.all_inputs,
      "Instead: every input of so many tokens is tried (6: A B C D E B → C), with a bound on the "
      "rounding");
  command->add_option("--from-weights", options->proof.from_weights,
                      "Instead: how many of these inputs are right at least, proven from the weights of two "
                      "heads without trying all");
  command->add_option("--redraws", options->proof.redraws,
                      "Instead: which heads are named when all is drawn anew, so many times");
  command->add_option("--threads", options->threads, "Threads; 0: all cores. Does not affect results")
      ->capture_default_str();
  command->footer(
      "\nThe heads are chosen on one draw of sequences, and the numbers come from another. "
      "docs/induction.md\n"
      "explains the claims.\n"
      "\nExamples:\n  ./headlight certify runs/demo\n  ./headlight certify runs/demo --json\n"
      "  ./headlight certify runs/small --all-inputs 6\n"
      "  ./headlight certify --controls\n  ./headlight certify --seeds 100\n\n"
      "Exit status: 0 for an induction circuit (of controls: if each verdict is right; of a proof: if it holds "
      "for every input), 1 if not, 2 for an error.");
  command->callback([options, prove, &chosen] {
    chosen = [options, prove](const std::string&) { return certify(*options, prove); };
  });
}

}  // namespace headlight::app
