// An error that nobody catches, in a program with the guard.
#include <cstdio>

#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"

int main() {
  using namespace headlight;
  return run_main([] {
    std::puts("before");
    matmul(zeros({2, 3}), zeros({4, 5}));
    std::puts("after");
  });
}
