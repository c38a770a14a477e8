// The commands that headlight_full has and headlight has not.
#pragma once

#include <string>

#include "app/commands/command.h"
#include "app/commands/prove.h"

namespace headlight::app {

void add_compare(CLI::App& program, Action& chosen);
void add_sweep(CLI::App& program, Action& chosen);
void add_verify(CLI::App& program, Action& chosen);
void add_what_if(CLI::App& program, Action& chosen);

int prove(const std::string& folder, const ProofOptions& options, bool as_json, ThreadPool& pool);

}  // namespace headlight::app
