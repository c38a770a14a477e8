#include "mpi_plugin.h"

#include <mpi.h>

#include <map>

namespace {

std::map<int, MPI_Message> announced;  // by rank; each message with the size below
std::map<int, int> announced_size;

bool open() {
  int provided = MPI_THREAD_SINGLE;
  return MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) == MPI_SUCCESS &&
         provided >= MPI_THREAD_SERIALIZED;
}

int rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}

int size() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

void* send(int to, const char* bytes, std::size_t count) {
  auto* request = new MPI_Request;
  MPI_Isend(bytes, static_cast<int>(count), MPI_BYTE, to, 0, MPI_COMM_WORLD, request);
  return request;
}

std::int64_t arrived(int from) {
  int there = 0, count = 0;
  MPI_Message message;
  MPI_Status status;
  MPI_Improbe(from, 0, MPI_COMM_WORLD, &there, &message, &status);
  if (there == 0) return -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  announced[from] = message;
  announced_size[from] = count;
  return count;
}

void* receive(int from, char* bytes) {
  auto* request = new MPI_Request;
  MPI_Imrecv(bytes, announced_size[from], MPI_BYTE, &announced[from], request);
  return request;
}

bool ended(void* transfer) {
  auto* request = static_cast<MPI_Request*>(transfer);
  int done = 0;
  MPI_Test(request, &done, MPI_STATUS_IGNORE);
  if (done != 0) delete request;
  return done != 0;
}

void close() { MPI_Finalize(); }

}  // namespace

const headlight::ranks::MpiFunctions headlight_mpi{open, rank, size, send, arrived, receive, ended, close};
