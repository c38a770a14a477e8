#include "headlight/ranks/threads.h"

#include <algorithm>

#include "bytes.h"

namespace headlight::ranks {
namespace {

int ranks_on(const std::string& host, const std::vector<Place>& ranks) {
  return static_cast<int>(
      std::count_if(ranks.begin(), ranks.end(), [&](const Place& place) { return place.host == host; }));
}

// An equal part of the host's cores.
int part_of(const Place& place, const std::vector<Place>& ranks) {
  return std::max(1, place.cores / ranks_on(place.host, ranks));
}

std::string counted(int count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace

std::vector<int> threads_of(const std::vector<Place>& ranks) {
  std::vector<int> threads;
  for (const Place& place : ranks)
    threads.push_back(place.asked > 0 ? place.asked : std::min(part_of(place, ranks), place.usable));
  return threads;
}

std::string note_on_threads(const std::vector<Place>& ranks) {
  const std::vector<int> threads = threads_of(ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Place& place = ranks[i];
    const int wanted = place.asked > 0 ? place.asked : part_of(place, ranks);
    if (place.usable < std::min(wanted, place.cores))
      return fmt::format("rank {} ({}) could use {} for {}, but may use {}. Hint: mpirun --bind-to none.", i,
                         place.host, counted(std::min(wanted, place.cores), "core"),
                         counted(wanted, "thread"), counted(place.usable, "core"));
    int on_host = 0;
    for (std::size_t j = 0; j < ranks.size(); ++j) on_host += ranks[j].host == place.host ? threads[j] : 0;
    if (on_host <= place.cores) continue;
    const int there = ranks_on(place.host, ranks), part = part_of(place, ranks);
    return fmt::format(
        "{} with {} in all share {} of {}. Hint: {}.", counted(there, "rank"), counted(on_host, "thread"),
        counted(place.cores, "core"), place.host,
        there > place.cores ? "fewer ranks there would be as fast" : fmt::format("--threads {}", part));
  }
  return "";
}

std::vector<Place> gather_places(Group& group, const Place& mine) {
  ByteWriter out;
  out.text(mine.host);
  for (const int number : {mine.cores, mine.usable, mine.asked}) out.number(number);
  std::vector<Place> places;
  for (const std::string& bytes : group.gather(out.take(), "the number of its cores")) {
    ByteReader in(bytes);
    Place place{std::string(in.text())};
    for (int* number : {&place.cores, &place.usable, &place.asked}) *number = in.number<int>();
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace headlight::ranks
