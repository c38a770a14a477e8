#include "headlight/tasks/text.h"

#include "fuzz/targets.h"

// A text task of characters, or of bytes when the first byte is odd. Its sequences are of its vocabulary.
void headlight::fuzz::text(const std::string& bytes) {
  if (bytes.empty()) return;
  refusable([&] {
    const tasks::TaskConfig config{.name = "text", .n_ctx = 4, .bytes = (bytes[0] & 1) != 0};
    const tasks::Task task = tasks::text_task(config, bytes.substr(1), "the text");
    Rng rng(0);
    for (const auto& generator : {task.training, task.held_out})
      for (const std::int32_t token : generator(rng).tokens)
        require(token >= 0 && static_cast<std::size_t>(token) < task.vocabulary.size(),
                "a token out of the vocabulary");
  });
}
