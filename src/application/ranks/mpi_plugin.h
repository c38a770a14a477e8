// The functions of the plug-in headlight_mpi.so. Its source, mpi_plugin.cpp, is the only file that includes
// mpi.h, so that whoever trains in one process needs no MPI.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight::ranks {

// One call at a time, from any thread.
struct MpiFunctions {
  bool (*open)();  // false: MPI could not be started
  int (*rank)();
  int (*size)();

  // Each begins a transfer, during which the bytes must stay. receive() takes the message whose size
  // arrived() returned last; arrived() returns -1 when there is none.
  void* (*send)(int to, const char* bytes, std::size_t count);
  std::int64_t (*arrived)(int from);
  void* (*receive)(int from, char* bytes);

  // Whether the transfer has ended, which forgets it then.
  bool (*ended)(void* transfer);

  // Waits for the other ranks to do the same.
  void (*close)();
};

}  // namespace headlight::ranks

extern "C" const headlight::ranks::MpiFunctions headlight_mpi;
