#include "property.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace headlight;

TEST_CASE("random cases start small, differ, and can be run again", "[property]") {
  std::vector<std::size_t> sizes;
  std::vector<std::uint64_t> seeds, drawn;
  for_all(40, [&](Rng& rng, std::size_t size) {
    sizes.push_back(size);
    seeds.push_back(rng.state().seed);
    drawn.push_back(rng.next());
  });
  REQUIRE(sizes.size() == 40);
  CHECK(sizes.front() == 1);
  CHECK(sizes.back() == 5);
  CHECK(std::is_sorted(sizes.begin(), sizes.end()));
  CHECK(std::set<std::uint64_t>(drawn.begin(), drawn.end()).size() == 40);
  for_case(seeds[17], sizes[17], [&](Rng& rng, std::size_t) { CHECK(rng.next() == drawn[17]); });
}
