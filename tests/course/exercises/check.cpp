// The checker of the learner's file beside this one. Its own name chooses what the learner's part does.
#include <filesystem>

#include "exercise.h"
#include "grader/part.h"

extern std::string behaviour;
Array twice(const Array& x);
Array half(const Array& x);

namespace {

Array twice_of(const Array& x) { return 2 * x; }
Array thrice(const Array& x) { return 3 * x; }
Array half_of(const Array& x) { return x / 2; }

}  // namespace

int main(int argc, char** argv) {
  using namespace grader;
  behaviour = std::filesystem::path(argv[0]).filename();
  if (behaviour == "early") std::abort();
  return run(argc, argv, [] {
    using F = Array (*)(const Array&);
    Case<F> call = calling<F>("twice(x)", named("x", Array{1, 2, 3}));
    call.run = [called = call.run](F function) {
      progress(1, 2);
      return called(function);
    };
    Part only = part("twice", 1, ::twice, twice_of, {call}, {{"thrice", "Three is not two.", "Two", thrice}});
    if (behaviour.starts_with("trains")) only.seconds = 2;
    Part second = part("half", 1, ::half, half_of, {calling<F>("half(x)", named("x", Array{1, 2, 3}))}, {});
    return Exercise{"00_misbehaving", {only, without(second, {"exp"})}};
  });
}
