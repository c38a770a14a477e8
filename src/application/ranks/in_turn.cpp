#include "headlight/ranks/in_turn.h"

#include <chrono>
#include <string_view>
#include <thread>

#include "headlight/core/check.h"
#include "headlight/ranks/group.h"
#include "headlight/ranks/mpi_wire.h"
#include "headlight/system/machine.h"

namespace headlight::ranks {
namespace {

// mpirun ends the other processes two seconds after one has ended, which on a busy machine takes longer.
constexpr auto kTurn = std::chrono::seconds(10);

std::size_t turns_to_wait(const std::vector<std::size_t>& silent) {
  std::size_t turns = launched_rank();
  for (const std::size_t rank : silent) turns -= rank < launched_rank() ? 1 : 0;
  return turns;
}

}  // namespace

int in_turn(const std::function<int()>& body) {
  if (launched_ranks() <= 1) return body();
  try {
    return body();
  } catch (const GroupError& e) {
    std::this_thread::sleep_for(kTurn * turns_to_wait(e.silent()));
    throw;
  } catch (const Error& e) {
    std::this_thread::sleep_for(kTurn * turns_to_wait({}));
    // The ranks before this one have not ended, so the error is of this rank alone.
    if (launched_rank() == 0 || std::string_view(e.what()).starts_with("rank ")) throw;
    fail("rank {} ({}): {}", launched_rank(), system::host_name(), e.what());
  } catch (...) {
    std::this_thread::sleep_for(kTurn * turns_to_wait({}));
    throw;
  }
}

}  // namespace headlight::ranks
