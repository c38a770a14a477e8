// The program `headlight`, which the script ./headlight builds first.
#include "run_first.h"

int main(int argc, char** argv) { return headlight::app::run_first(argc, argv); }
