// The `headlight` program that the script ./headlight builds and starts.
#include "app/bench/bench.h"
#include "app/paper/paper.h"
#include "run_program.h"

int main(int argc, char** argv) {
  return headlight::app::run_program(argc, argv,
                                     {headlight::app::bench_command(), headlight::app::paper_command()});
}
