// The certificate of a run.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "headlight/interpret/certificate.h"
#include "headlight/run/run.h"

namespace headlight::studies {

// The verdict, and a row for each claim with its number, its control and the limits of both.
std::string certificate_table(const interpret::Certificate& certificate);

// The table, then what was done and seen, and the heads, in lines of at most `columns`.
std::string certificate_text(const interpret::Certificate& certificate, std::size_t columns = 100);

// A model whose circuit is known, for trying the certificate on.
struct Control {
  std::string name;   // "no copying"
  std::string is;     // what it is, and what must fail, in a sentence
  std::string fails;  // the key of the claim that must fail; empty: none
  interpret::Verdict verdict;
  std::function<interpret::Certificate(ThreadPool&)> certify;
  std::optional<run::RunConfig> config = {};  // of a model that is trained
};

// Induction transformers with weights set by hand: whole, and with one ingredient broken.
std::vector<Control> controls_by_hand();

// The demo's model from seeds 0 … count-1.
std::vector<Control> demo_controls(std::size_t count);

// Whether verdict and failing claims are the known ones: no claim fails but Control::fails.
bool as_known(const Control& control, const interpret::Certificate& certificate);

// A row for a control: verdict, the number of each claim, the heads.
std::vector<std::string> control_head();
std::vector<std::string> control_row(const Control& control, const interpret::Certificate& certificate);

// Models trained here, in seconds each: seeds of the demo, one layer, smeared keys, other positions, sizes
// and tasks, and those that solve the task another way.
std::vector<Control> trained_controls();

}  // namespace headlight::studies
