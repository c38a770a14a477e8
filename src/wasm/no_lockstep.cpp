// A module has one thread, and parts of a sequence wait for each other on several. Lab refuses them before.
#include "headlight/core/check.h"
#include "train/lockstep.h"

namespace headlight::train {

struct Lockstep::State {};

Lockstep::Lockstep(Exchange&, std::size_t, std::size_t, int) {
  fail("[lockstep] parts of a sequence need a thread each.");
}
Lockstep::~Lockstep() = default;
void Lockstep::run(Exchange::Range, const Task&) {}
double Lockstep::waited(std::size_t) const { return 0; }

}  // namespace headlight::train
