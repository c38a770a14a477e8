#pragma once

namespace headlight::app {

// The program `headlight`: the commands that most people call first.
int run_first(int argc, char** argv);

}  // namespace headlight::app
