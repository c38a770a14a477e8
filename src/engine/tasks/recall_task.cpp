#include "lookup.h"

namespace headlight::tasks {

Task recall_task(const TaskConfig& config) {
  TaskConfig c = config;
  c.queries = 1;
  return lookup_task(
      c,
      {"The model reads pairs of a name and what belongs to it, then one of the names again; it must answer "
       "with what belongs to this name.",
       "The answer is the *token* that followed the same name in its pair.",
       "Success is an *accuracy* of at least 90 % on *predictable* tokens, also with other numbers of pairs.",
       "A *previous-token head* in one layer and an *induction head* in a later layer: the last token looks "
       "at the answer itself.",
       "recall the value of a key"});
}

}  // namespace headlight::tasks
