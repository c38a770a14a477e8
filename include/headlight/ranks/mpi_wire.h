// The wire between processes that mpirun or another launcher of MPI has started.
#pragma once

#include <memory>

#include "headlight/ranks/wire.h"

namespace headlight::ranks {

// How many processes the launcher started, and which of them this is, by its environment: OMPI_COMM_WORLD_*
// of Open MPI, PMI_* of MPICH and Intel MPI. Without a launcher 1 and 0. Of Slurm's own only SLURM_PROCID is
// read: without PMI_* its processes share a sweep, and do not train one model.
std::size_t launched_ranks();
std::size_t launched_rank();

class MpiWire : public Wire {
 public:
  // Starts MPI, through the plug-in headlight_mpi.so beside the program, or else where the system looks for
  // libraries. Throws Error when the plug-in is missing or belongs to another MPI than the launcher.
  MpiWire();
  ~MpiWire() override;

  std::size_t rank() const override;
  std::size_t size() const override;
  void send(std::size_t to, std::shared_ptr<const std::string> message) override;
  std::optional<std::string> receive(std::size_t from) override;
  bool sent() override;

  // Ends MPI, and waits for all ranks to do so. A process that ends without it is a failure to the launcher,
  // which then ends the others.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight::ranks
