// Whether a launcher of parallel programs (mpirun, srun) started this process.
#pragma once

namespace headlight::app {

// False for all processes of a launcher but the first, by the variables that Open MPI
// (OMPI_COMM_WORLD_RANK), MPICH (PMI_RANK) and Slurm (SLURM_PROCID) set. So a result is printed once.
bool is_first_process();

}  // namespace headlight::app
