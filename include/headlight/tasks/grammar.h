// A small grammar of English stories, for a text whose repetitions must be copied.
#pragma once

#include <cstdint>
#include <string>

namespace headlight::tasks {

// Short stories, one in a paragraph, of at least `bytes` bytes in all (ASCII). Each has a person and a place
// with invented names in capitals, of ten different letters: after "Z" of ZAGOL, only the story so far tells
// that "A" follows. The same seed gives the same text.
std::string grammar_text(std::size_t bytes, std::uint64_t seed);

}  // namespace headlight::tasks
