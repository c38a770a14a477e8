// The line of tokens that the first screen shows, and what the model does with it when heads are off.
#pragma once

#include <optional>

#include "headlight/interpret/certificate.h"
#include "headlight/interpret/patching.h"
#include "headlight/tasks/batch.h"

namespace headlight::page {

// The heads behind the lamps. The control is one more head of the note-writers' layer, outside of the
// circuit; empty where there is none.
struct Lamps {
  interpret::HeadSet note_writers, finders, control;
};

// What is off, as bits; and, alone, the cut of the note-writers' paths into the finders' keys.
constexpr std::size_t kNoteWritersOff = 1, kFindersOff = 2, kControlOff = 4, kWireCut = 8, kLampStates = 9;

struct LampView {
  Array logits;   // (B,n,d_vocab)
  Array notes;    // (B,n): the weight of the strongest note-writer on the token before; 0 at position 0
  Array pattern;  // (B,n,n): where the finders look, mean over them
};

// The model on lines with heads off: they write `means` (of mean_outputs()). `model`, `lines` and `means`
// must outlive it.
class LampStates {
 public:
  LampStates(const nn::Transformer& model, const Lamps& lamps, const tasks::Batch& lines,
             const interpret::ActivationCache& means);

  LampView in(std::size_t state) const;

 private:
  const nn::Transformer& model_;
  const Lamps& lamps_;
  const tasks::Batch& lines_;
  const interpret::ActivationCache& means_;
  interpret::PathPatching paths_;
};

// The most likely token at position t of line b.
std::int32_t best_token(const Array& logits, std::size_t b, std::size_t t);

// Lines to choose from: of segments as long as the screen has room for, where the task has segments, else
// the task's own sequences; kMostTokens tokens at most.
tasks::Batch minute_lines(const tasks::Task& task, std::size_t count, const Rng& rng);

// A line, and the position at which the first screen asks what comes next; `before` predictable tokens come
// before it. From there on guesses are counted, and in other lines after as many.
struct ChosenLine {
  std::size_t line = 0, ask = 0, before = 0;
};

// Of the lines with a place where the model is right, wrong without the note-writers, and where the finders
// look most at a follower that has its note, the one whose right answers come nearest to those of all lines
// with all heads, without the note-writers and without the finders. A line without letters that look alike,
// such as 1 and l, is preferred. Nothing if no line has such a place.
std::optional<ChosenLine> choose_line(const tasks::Vocabulary& vocabulary, const tasks::Batch& lines,
                                      const std::vector<LampView>& views);

// Of the predictable tokens of lines first … last-1 before the last token, but for the first `before` of each
// line, the part that is right.
double right_share(const tasks::Batch& lines, const Array& logits, std::size_t first, std::size_t last,
                   std::size_t before);

}  // namespace headlight::page
