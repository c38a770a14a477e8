#include "headlight/tasks/grammar.h"

#include <array>
#include <string_view>
#include <vector>

#include "headlight/core/rng.h"

namespace headlight::tasks {
namespace {

constexpr std::string_view kConsonants = "BDFGHKLMNPRSTVZ", kVowels = "AEIOU";
constexpr std::array<std::string_view, 12> kTrades{"baker",   "fisher", "miller", "weaver",
                                                   "smith",   "sailor", "potter", "farmer",
                                                   "teacher", "joiner", "tailor", "keeper"};
constexpr std::array<std::string_view, 12> kColours{"red",  "green", "grey",  "white", "black", "brown",
                                                    "blue", "small", "heavy", "tall",  "round", "silver"};
constexpr std::array<std::string_view, 16> kThings{"boat", "bell", "clock",  "kettle", "lamp", "drum",
                                                   "coat", "key",  "ladder", "mirror", "rope", "bucket",
                                                   "cart", "book", "basket", "stone"};
constexpr std::array<std::string_view, 10> kDeeds{"carried", "cleaned", "painted", "lost",  "found",
                                                  "mended",  "hid",     "sold",    "named", "borrowed"};
constexpr std::array<std::string_view, 8> kTimes{"in the morning", "at noon", "in the evening",
                                                 "that night",     "one day", "in spring",
                                                 "after the rain", "later"};

// Appends to a text: words as they are, or one of several, drawn in the order of the calls.
class Writer {
 public:
  explicit Writer(Rng& rng) : rng_(rng) {}

  Writer& say(std::string_view words) {
    text_ += words;
    return *this;
  }
  template <std::size_t N>
  Writer& one_of(const std::array<std::string_view, N>& words) {
    return say(words[rng_.below(N)]);
  }
  const std::string& text() const { return text_; }

 private:
  Rng& rng_;
  std::string text_;
};

// Two names of five letters, all different: ZAGOL, KINES. So a letter of a name tells which one follows.
std::array<std::string, 2> invented_names(Rng& rng) {
  const std::vector<std::int32_t> consonants = rng.distinct(6, kConsonants.size()),
                                  vowels = rng.distinct(4, kVowels.size());
  std::array<std::string, 2> names;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 2; ++k)
      names[k] += i % 2 == 0 ? kConsonants[static_cast<std::size_t>(consonants[i / 2 + 3 * k])]
                             : kVowels[static_cast<std::size_t>(vowels[i / 2 + 2 * k])];
  return names;
}

std::string coloured_thing(Rng& rng) { return Writer(rng).one_of(kColours).say(" ").one_of(kThings).text(); }

// What a story tells of.
struct Cast {
  std::string person, place, trade, first, second;
};

void write_sentence(const Cast& cast, Rng& rng, Writer& to) {
  const std::string& thing = rng.below(2) == 0 ? cast.first : cast.second;
  switch (rng.below(5)) {
    case 0:
      to.one_of(kTimes).say(" " + cast.person + " ").one_of(kDeeds).say(" the " + thing + ".");
      return;
    case 1:
      to.say("the " + cast.trade + " of " + cast.place + " ").one_of(kDeeds).say(" the " + thing + ".");
      return;
    case 2:
      to.say("in " + cast.place + " everybody knew the " + thing + " of " + cast.person + ".");
      return;
    case 3:
      to.say(cast.person + " put the " + cast.first + " beside the " + cast.second + ".");
      return;
    default:
      to.say("\"where is the " + thing + "?\" asked " + cast.person + ".");
  }
}

std::string story(Rng& rng) {
  const auto [person, place] = invented_names(rng);
  const Cast cast{person, place, Writer(rng).one_of(kTrades).text(), coloured_thing(rng),
                  coloured_thing(rng)};  // braces: in this order
  Writer to(rng);
  to.say(cast.person + " was a " + cast.trade + " in " + cast.place + " and had a " + cast.first + " and a " +
         cast.second + ".");
  const std::size_t sentences = 3 + rng.below(4);
  for (std::size_t i = 0; i < sentences; ++i) write_sentence(cast, rng, to.say(" "));
  return to.say("\n").text();
}

}  // namespace

std::string grammar_text(std::size_t bytes, std::uint64_t seed) {
  const Rng rng(seed);
  std::string text;
  for (std::uint64_t i = 0; text.size() < bytes; ++i) {
    Rng own = rng.stream("story", i);
    text += story(own);
  }
  return text;
}

}  // namespace headlight::tasks
