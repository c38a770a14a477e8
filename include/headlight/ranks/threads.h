// How many threads each rank starts.
#pragma once

#include <string>
#include <vector>

#include "headlight/ranks/group.h"

namespace headlight::ranks {

// A rank's place: the cores of its host, and how many of them the rank may use.
struct Place {
  std::string host;
  int cores = 1, usable = 1;
  int asked = 0;  // threads that the command line asks for; 0: as suits
};

// The threads of each rank: those that were asked for, or else its part of the host's cores, as far as it may
// use them.
std::vector<int> threads_of(const std::vector<Place>& ranks);

// What makes the ranks slow, with the remedy; empty: nothing. The first such rank or host is named:
//   "rank 1 (a) starts 2 threads, but may use 1 core. Hint: mpirun --bind-to none."
std::string note_on_threads(const std::vector<Place>& ranks);

// The places of all ranks, of which this rank's is given.
std::vector<Place> gather_places(Group& group, const Place& mine);

}  // namespace headlight::ranks
