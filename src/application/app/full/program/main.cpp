// The program `headlight_full`: all commands. The script ./headlight builds it for those that `headlight`
// lacks.
#include "app/full/run_program.h"
#include "bench.h"
#include "paper.h"

int main(int argc, char** argv) {
  return headlight::app::run_program(argc, argv,
                                     {headlight::app::bench_command(), headlight::app::paper_command()});
}
