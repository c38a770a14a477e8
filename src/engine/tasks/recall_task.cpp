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
       "An *induction head*: the last token looks at the answer itself. In a model of several layers there "
       "is a *previous-token head* in an earlier layer too.",
       "recall the value of a key"});
}

}  // namespace headlight::tasks
