#include "lookup.h"

namespace headlight::tasks {

Task mqar_task(const TaskConfig& config) {
  return lookup_task(
      config,
      {"The model reads pairs of a name and what belongs to it, then several of the names again; it must "
       "answer each with what belongs to this name.",
       "Each answer is the *token* that followed the same name in its pair.",
       "Success is an *accuracy* of at least 90 % on *predictable* tokens, also with other numbers of pairs.",
       "An *induction head*: each of the last tokens looks at its own answer. In a model of several layers "
       "there is a *previous-token head* in an earlier layer too.",
       "recall the values of many keys"});
}

}  // namespace headlight::tasks
