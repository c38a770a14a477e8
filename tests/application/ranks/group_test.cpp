// What ranks do together, with threads as ranks.
#include "headlight/ranks/group.h"

#include <future>

#include "catch.h"
#include "headlight/system/machine.h"
#include "memory_wire.h"

using namespace headlight;
using namespace headlight::ranks;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds kLong = 20s, kShort = 400ms;
const std::vector<std::string> kNoErrors(3);

std::string at_host(std::size_t rank) { return fmt::format("rank {} ({})", rank, system::host_name()); }

}  // namespace

TEST_CASE("every rank gets what all ranks sent", "[ranks]") {
  for (const std::size_t ranks : {1U, 2U, 3U, 8U}) {
    std::vector<std::vector<std::string>> got(ranks);
    const auto errors = in_ranks(ranks, kLong, [&](Group& group, MemoryNet&) {
      for (const char* round : {"a", "b"}) {
        const auto all = group.gather(round + std::to_string(group.rank()), "a letter");
        got[group.rank()].insert(got[group.rank()].end(), all.begin(), all.end());
      }
    });
    CHECK(errors == std::vector<std::string>(ranks));
    std::vector<std::string> expected;
    for (const char* round : {"a", "b"})
      for (std::size_t rank = 0; rank < ranks; ++rank) expected.push_back(round + std::to_string(rank));
    for (const auto& of_rank : got) CHECK(of_rank == expected);
  }
}

TEST_CASE("a rank that is slow is waited for, longer than the limit", "[ranks]") {
  const auto errors = in_ranks(3, kShort, [&](Group& group, MemoryNet&) {
    if (group.rank() == 1) std::this_thread::sleep_for(3 * kShort);
    group.gather("", "a sign");
  });
  CHECK(errors == kNoErrors);
}

TEST_CASE("a rank that sends nothing is named by the others", "[ranks]") {
  std::vector<std::vector<std::size_t>> silent(3);
  const auto errors = in_ranks(3, kShort, [&](Group& group, MemoryNet& net) {
    if (group.rank() == 2) return net.cut(2);
    try {
      group.gather("", "the gradients of step 17");
    } catch (const GroupError& e) {
      silent[group.rank()] = e.silent();
      throw;
    }
  });
  const std::string sentence = at_host(2) +
                               " sent nothing for 0.4 s, and the others wait for the gradients of step 17. "
                               "Hint: a rank that was stopped "
                               "or is cut off from the network; --rank-timeout SECONDS waits longer.";
  CHECK(errors == std::vector<std::string>{sentence, sentence, ""});
  for (const std::size_t rank : {0U, 1U}) CHECK(silent[rank] == std::vector<std::size_t>{2});
}

TEST_CASE("a rank that never comes is named by the others", "[ranks]") {
  MemoryNet net(2);
  MemoryWire wire(net, 0);
  CHECK(error_of([&] { Group(wire, kShort); }) ==
        "rank 1 sent nothing for 0.4 s, and the others wait for the name of the host. Hint: a rank that was "
        "stopped or is cut off from the network; --rank-timeout SECONDS waits longer.");
}

TEST_CASE("a rank that was stopped itself does not blame the others", "[ranks]") {
  class StoppedOnce : public MemoryWire {
   public:
    using MemoryWire::MemoryWire;
    std::optional<std::string> receive(std::size_t from) override {
      if (!std::exchange(stopped_, true)) std::this_thread::sleep_for(2 * kShort);
      // As in Open MPI, what came meanwhile is found by a later look.
      return looks_++ < 2 ? std::nullopt : MemoryWire::receive(from);
    }

   private:
    bool stopped_ = false;
    int looks_ = 0;
  };
  MemoryNet net(2);
  const auto other = std::async(std::launch::async, [&] {
    MemoryWire wire(net, 1);
    Group(wire, kLong);
  });
  StoppedOnce wire(net, 0);
  CHECK_NOTHROW(Group(wire, kShort));
}

TEST_CASE("an exception in one rank reaches all, with its name", "[ranks]") {
  for (const std::size_t failing : {0U, 2U}) {
    const auto errors = in_ranks(3, kLong, [&](Group& group, MemoryNet&) {
      if (group.rank() == failing) fail("the disk is full.");
      group.gather("", "a sign");
    });
    const std::string sentence = (failing == 0 ? "" : at_host(failing) + ": ") + "the disk is full.";
    CHECK(errors == std::vector<std::string>(3, sentence));
  }
}

TEST_CASE("ranks are told which ranks are silent", "[ranks]") {
  std::vector<std::vector<std::size_t>> silent(3, {2});
  const auto errors = in_ranks(3, kLong, [&](Group& group, MemoryNet&) {
    if (group.rank() == 1) throw GroupError("rank 2 sent nothing.", {2});
    try {
      group.gather("", "a sign");
    } catch (const GroupError& e) {
      silent[group.rank()] = e.silent();
      throw;
    }
  });
  CHECK(silent == std::vector<std::vector<std::size_t>>(3, {2}));
  CHECK(errors == std::vector<std::string>(3, "rank 2 sent nothing."));
}

TEST_CASE("ranks that wait for different things say so", "[ranks]") {
  const auto errors = in_ranks(2, kLong, [&](Group& group, MemoryNet&) {
    group.gather("", group.rank() == 0 ? "the gradients of step 2" : "the end of the run");
  });
  CHECK(errors[0] ==
        at_host(0) + " waits for the gradients of step 2, but " + at_host(1) + " sent the end of the run.");
}

TEST_CASE("the first difference between ranks is named, by the majority or by rank 0", "[ranks]") {
  const auto error = [](const std::vector<std::vector<Fact>>& facts) {
    const auto errors = in_ranks(facts.size(), kLong, [&](Group& group, MemoryNet&) {
      group.agree(facts[group.rank()], "before the first step");
    });
    for (const std::string& other : errors) CHECK(other == errors[0]);
    return errors[0];
  };
  const std::string hint = " Hint: every rank needs the same command line, files and program.";
  const std::vector<Fact> usual{{"train.seed", "3"}, {"train.batch", "8"}};
  CHECK(error({usual, usual, usual}).empty());
  CHECK(error({usual, {{"train.seed", "3"}, {"train.batch", "9"}}}) ==
        "before the first step " + at_host(1) + " has train.batch 9, but " + at_host(0) + " has 8." + hint);
  CHECK(error({{{"train.seed", "4"}, {"train.batch", "9"}}, usual, usual}) ==
        "before the first step " + at_host(0) + " has train.seed 4, but most ranks have 3." + hint);
  CHECK(error({usual, usual, {{"train.seed", "3"}}}) ==
        "before the first step " + at_host(2) + " has train.batch nothing, but most ranks have 8." + hint);
  CHECK(error({{{"a", "1"}}, {{"a", "2"}}, {{"a", "3"}}}) ==
        "before the first step " + at_host(1) + " has a 2, but " + at_host(0) + " has 1." + hint);
}
