#include "launcher.h"

#include <cstdlib>
#include <string_view>

namespace headlight::app {

bool is_first_process() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(variable)) return std::string_view(rank) == "0";
  return true;
}

}  // namespace headlight::app
