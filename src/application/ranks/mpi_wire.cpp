#include "headlight/ranks/mpi_wire.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <list>
#include <mutex>
#include <string_view>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/system/machine.h"
#include "headlight/system/plugin.h"
#include "mpi_plugin.h"

namespace headlight::ranks {
namespace {

constexpr const char* kPlugin = "headlight_mpi.so";

std::size_t number_in(std::initializer_list<const char*> variables, std::size_t otherwise) {
  for (const char* variable : variables)
    if (const char* value = std::getenv(variable)) {
      std::size_t number = 0;
      std::from_chars(value, value + std::string_view(value).size(), number);
      return number;
    }
  return otherwise;
}

const MpiFunctions& plugin() {
  const std::filesystem::path beside = system::program_file().parent_path() / kPlugin;
  try {
    return *static_cast<const MpiFunctions*>(
        system::symbol_of(std::filesystem::exists(beside) ? beside : kPlugin, "headlight_mpi"));
  } catch (const Error& e) {
    fail(
        "a launcher started {} processes, which need Headlight's plug-in for MPI: {} Hint: apt-get install "
        "openmpi-bin libopenmpi-dev, and build again.",
        launched_ranks(), e.what());
  }
}

}  // namespace

std::size_t launched_ranks() { return number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }
std::size_t launched_rank() { return number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, 0); }

struct MpiWire::State {
  struct Outgoing {
    void* transfer;
    std::shared_ptr<const std::string> message;
  };
  struct Incoming {
    void* transfer = nullptr;
    std::string message;
  };

  const MpiFunctions& mpi = plugin();
  std::size_t rank = 0;
  std::mutex mutex;
  std::list<Outgoing> outgoing;
  std::vector<Incoming> incoming;  // by rank
};

MpiWire::MpiWire() : state_(std::make_unique<State>()) {
  State& s = *state_;
  check(s.mpi.open(), "MPI could not be started.");
  s.rank = static_cast<std::size_t>(s.mpi.rank());
  s.incoming.resize(static_cast<std::size_t>(s.mpi.size()));
  check(
      size() == launched_ranks(),
      "the launcher started {} processes, but Headlight's plug-in finds {}. Hint: the plug-in was built with "
      "another MPI than the launcher's; for Open MPI it is mpirun.openmpi.",
      launched_ranks(), size());
}

// A transfer that has not ended may still read or write its bytes, which therefore stay: the process ends.
MpiWire::~MpiWire() { (void)state_.release(); }

std::size_t MpiWire::rank() const { return state_->rank; }
std::size_t MpiWire::size() const { return state_->incoming.size(); }

void MpiWire::send(std::size_t to, std::shared_ptr<const std::string> message) {
  check(message->size() <= std::numeric_limits<int>::max(),
        "a message of {} bytes between ranks is too long: MPI counts at most {}.", message->size(),
        std::numeric_limits<int>::max());
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  void* transfer = s.mpi.send(static_cast<int>(to), message->data(), message->size());
  s.outgoing.push_back({transfer, std::move(message)});
}

std::optional<std::string> MpiWire::receive(std::size_t from) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  State::Incoming& in = s.incoming[from];
  if (in.transfer == nullptr) {
    const std::int64_t size = s.mpi.arrived(static_cast<int>(from));
    if (size < 0) return {};
    in.message.resize(static_cast<std::size_t>(size));
    in.transfer = s.mpi.receive(static_cast<int>(from), in.message.data());
  }
  if (!s.mpi.ended(in.transfer)) return {};
  in.transfer = nullptr;
  return std::move(in.message);
}

bool MpiWire::sent() {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  s.outgoing.remove_if([&](const State::Outgoing& out) { return s.mpi.ended(out.transfer); });
  return s.outgoing.empty();
}

void MpiWire::close() { state_->mpi.close(); }

}  // namespace headlight::ranks
