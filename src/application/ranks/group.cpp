#include "headlight/ranks/group.h"

#include <algorithm>

#include "bytes.h"
#include "headlight/system/machine.h"

namespace headlight::ranks {
namespace {

constexpr char kData = 'd', kLife = 'l', kFailure = 'f';

// Waits a little longer each time: a message between processes of one machine takes a few µs, a rank that is
// saving takes seconds.
class Patience {
 public:
  void wait() {
    if (++times_ < kAwake) return std::this_thread::yield();
    std::this_thread::sleep_for(std::min(std::chrono::microseconds(20 * (times_ - kAwake)), kLongest));
  }

 private:
  static constexpr int kAwake = 500;
  static constexpr std::chrono::microseconds kLongest{1000};
  int times_ = 0;
};

std::string seconds_text(std::chrono::milliseconds time) {
  return fmt::format("{:g} s", std::chrono::duration<double>(time).count());
}

std::string telling(const std::string& sentence, const std::vector<std::size_t>& silent) {
  ByteWriter out;
  out.text(sentence);
  for (const std::size_t rank : silent) out.number(std::uint64_t{rank});
  return out.take();
}

GroupError told(const std::string& bytes) {
  ByteReader in(bytes);
  const std::string sentence(in.text());
  std::vector<std::size_t> silent;
  while (!in.empty()) silent.push_back(in.number<std::uint64_t>());
  return {sentence, silent};
}

}  // namespace

Group::Group(Wire& wire, std::chrono::milliseconds limit)
    : wire_(wire),
      limit_(limit),
      hosts_(wire.size()),
      life_([this](BackgroundThread& thread) { show_life(thread); }) {
  hosts_ = gather(system::host_name(), "the name of the host");
}

Group::~Group() = default;

void Group::show_life(BackgroundThread& thread) {
  while (!thread.stops_within(limit_ / 4)) send_all(labelled("", "", kLife));
}

std::string Group::name(std::size_t rank) const {
  return fmt::format("rank {}{}", rank, hosts_[rank].empty() ? "" : " (" + hosts_[rank] + ")");
}

// The label stands behind the bytes, which may be many, so that they need not be copied to lose it.
Group::Message Group::labelled(const std::string& bytes, const std::string& what, char kind) {
  ByteWriter label;
  label.number(std::uint64_t{what.size()});
  label.number(kind);
  return std::make_shared<const std::string>(bytes + what + label.take());
}

void Group::send_all(const Message& message) {
  for (std::size_t to = 0; to < size(); ++to)
    if (to != rank()) wire_.send(to, message);
}

// Whether the message has the bytes that are expected.
bool Group::take(std::string message, std::size_t from, const std::string& expected,
                 std::string& bytes) const {
  constexpr std::size_t kLabel = sizeof(std::uint64_t) + 1;
  check(message.size() >= kLabel, "{} sent a message without a label.", name(from));
  ByteReader label(std::string_view(message).substr(message.size() - kLabel));
  const auto length = label.number<std::uint64_t>();
  const char kind = label.number<char>();
  message.resize(message.size() - kLabel);
  if (kind == kLife) return false;
  if (kind == kFailure) throw told(message);
  check(length <= message.size(), "{} sent a message with a damaged label.", name(from));
  const std::string what = message.substr(message.size() - length);
  if (what != expected)
    throw GroupError(
        fmt::format("{} waits for {}, but {} sent {}.", name(rank()), expected, name(from), what), {});
  message.resize(message.size() - length);
  bytes = std::move(message);
  return true;
}

std::vector<std::string> Group::gather(const std::string& bytes, const std::string& what) {
  send_all(labelled(bytes, what, kData));
  std::vector<bool> came(size());
  came[rank()] = true;
  std::vector<std::string> all(size());
  all[rank()] = bytes;
  Clock::time_point looked = Clock::now();
  std::vector<Clock::time_point> heard(size(), looked);
  Patience patience;
  while (std::find(came.begin(), came.end(), false) != came.end()) {
    for (std::size_t from = 0; from < size(); ++from)
      while (!came[from]) {
        std::optional<std::string> message = wire_.receive(from);
        if (!message) break;
        heard[from] = Clock::now();
        came[from] = take(std::move(*message), from, what, all[from]);
      }
    // Time in which this rank itself was stopped says nothing of the others.
    const Clock::time_point now = Clock::now();
    if (now - looked > limit_ / 2) std::fill(heard.begin(), heard.end(), now);
    looked = now;
    check_heard(heard, came, what);
    patience.wait();
  }
  wait_until_sent();
  return all;
}

void Group::check_heard(const std::vector<Clock::time_point>& heard, const std::vector<bool>& came,
                        const std::string& what) const {
  const Clock::time_point now = Clock::now();
  std::vector<std::size_t> silent;
  std::string names;
  for (std::size_t i = 0; i < size(); ++i)
    if (!came[i] && now - heard[i] > limit_) {
      silent.push_back(i);
      names += (names.empty() ? "" : ", ") + name(i);
    }
  if (silent.empty()) return;
  throw GroupError(fmt::format("{} sent nothing for {}, and the others wait for {}. Hint: a rank that was "
                               "stopped or is cut off from the network; --rank-timeout SECONDS waits longer.",
                               names, seconds_text(limit_), what),
                   silent);
}

// A rank that does not take what was sent is found by the next call of gather().
void Group::wait_until_sent() {
  const Clock::time_point end = Clock::now() + limit_;
  for (Patience patience; !wire_.sent() && Clock::now() < end;) patience.wait();
}

std::string Group::fail_everywhere(const std::exception& error) {
  const auto* of_group = dynamic_cast<const GroupError*>(&error);
  const std::vector<std::size_t> silent =
      of_group != nullptr ? of_group->silent() : std::vector<std::size_t>();
  const bool whole = of_group != nullptr || rank() == 0;
  const std::string sentence = whole ? error.what() : name(rank()) + ": " + error.what();
  send_all(labelled(telling(sentence, silent), "", kFailure));
  wait_until_sent();
  return sentence;
}

}  // namespace headlight::ranks
