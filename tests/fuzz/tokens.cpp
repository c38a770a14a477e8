#include "fuzz/targets.h"
#include "headlight/tasks/vocabulary.h"

// What --tokens and --prompt take, in vocabularies of letters, of numbers, of bytes, and of characters with a
// space.
void headlight::fuzz::tokens(const std::string& bytes) {
  static const std::vector<tasks::Vocabulary> vocabularies{
      tasks::Vocabulary::of_size(64), tasks::Vocabulary::of_size(100, {"|"}), tasks::Vocabulary::of_bytes(),
      tasks::Vocabulary({" ", "a", "é", "日", "\xf0\x9f\x98\x80", "\n"})};
  if (bytes.empty()) return;
  const tasks::Vocabulary& vocabulary =
      vocabularies[static_cast<unsigned char>(bytes[0]) % vocabularies.size()];
  refusable([&] {
    std::string again;
    for (const std::int32_t token : vocabulary.tokens(bytes.substr(1)))
      again += vocabulary.bytes(token) + (vocabulary.by_word() ? " " : "");
    require(vocabulary.tokens(again) == vocabulary.tokens(bytes.substr(1)), "tokens do not come back");
  });
}
