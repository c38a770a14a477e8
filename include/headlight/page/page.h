// The report: one HTML file that shows a run. It opens from disk and needs no network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/page/packed_patterns.h"
#include "headlight/page/page_certificate.h"
#include "headlight/page/page_circuits.h"
#include "headlight/page/page_without.h"
#include "headlight/tasks/task.h"

namespace headlight::page {

// A token of the vocabulary and its probability.
struct Guess {
  std::int32_t token;
  double probability;
};

// What the heads of a further stack see of a sequence, such as an encoder's.
struct PageView {
  std::vector<std::int32_t> tokens;  // the queries
  std::vector<std::int32_t> keys;    // the tokens attended to; empty: `tokens` themselves
  PackedPatterns patterns;           // of all heads of the stack, layer by layer
};

// A sequence, with the model's predictions and patterns. Sequences of an encoder may have no targets and
// guesses.
struct PageSequence {
  std::string label;  // "segment of 12 tokens, never trained on"
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> targets;  // the next token or the label at each position; -1 where there is none
  std::vector<bool> predictable;      // whether each target follows from the tokens before it; empty: unknown
  std::vector<std::vector<Guess>> guesses;  // at each position, the most likely first
  PackedPatterns patterns;                  // of all heads, layer by layer
  std::vector<std::int32_t> keys = {};      // the tokens attended to; empty: `tokens` themselves
  std::vector<std::int32_t> repeats =
      {};  // the copy of the segment that a token belongs to; -1: none; empty: not known
  std::vector<PageView> views = {};  // of the page's stacks after the first
  PageTerms terms = {};              // its scores and logits taken apart
};

// What the page says first, on its first sequence. A piece of a sentence between stars is a term of the
// glossary.
struct PageStory {
  struct Place {
    std::size_t layer, head, query, key;
  };
  std::vector<std::string> sentences;
  std::optional<Place> place = {};  // the head it is about, and where that head looks from one token
  std::string headline = {};        // the run's task and result in one plain sentence
};

// What the last section lists, with an explanation where there is one.
struct PageFact {
  std::string name, value, help = {};
};

// The metrics at one step of training. A metric that was not measured is absent.
struct PageMetrics {
  std::int64_t step;
  std::vector<std::pair<std::string, double>> values;  // by the keys of the page's charts
  std::vector<interpret::HeadScores> heads;
};

// A chart of metrics along training. It leaves out steps and curves without metrics.
struct PageChart {
  struct Curve {
    std::string key;    // of its values in PageMetrics
    std::string name;   // "predictable tokens"
    std::string brief;  // "predictable", for places with little room
    std::string level_of =
        {};  // the key of the curve that this level is compared with: drawn dashed in its colour
  };
  std::string title;
  bool share;  // values are shares of 1: the axis ends at 1, and values are shown in %
  std::vector<Curve> curves;
};

// Loss and accuracy, by the keys loss_predictable, loss_unpredictable and accuracy_predictable. The names are
// those of the two kinds of tokens.
std::vector<PageChart> standard_charts(const std::string& predictable = "predictable",
                                       const std::string& others = "unpredictable");

// The accuracy on predictable tokens of sequences with segments of one length.
struct PagePeriod {
  std::size_t period;
  double accuracy;
  bool trained;  // whether training draws segments of this length
};

// How the patterns on the first sequence changed along training.
struct PageHistory {
  std::vector<std::int64_t> steps;         // one at least
  PackedPatterns patterns;                 // of all heads at the first step, then at the second, …
  std::vector<PackedPatterns> views = {};  // the same, of the page's stacks after the first
};

// The engine as two modules of WebAssembly (src/web/wasm), compressed by gzip: for browsers with relaxed SIMD,
// and for all others.
struct EngineModules {
  std::string fused, plain;
};

// A model that the engine takes: to play with in the page. It computes what the page then need not hold.
struct PageLab {
  std::string config;   // of its run, as JSON
  std::string weights;  // the bytes of its model.safetensors
  EngineModules engine;
};

struct Page {
  std::string title;                                                // the run's name
  std::string verdict;                                              // the finding, in a sentence
  std::vector<std::string> vocabulary;                              // the text of each token
  std::size_t n_layers = 0, n_heads = 0;                            // of each stack
  std::vector<interpret::Stack> stacks = {interpret::Stack::self};  // in the order of heads in `scores`
  std::vector<interpret::HeadScores> scores;                        // of the trained model
  std::vector<PageSequence> sequences;
  PageHistory history;
  std::vector<PageMetrics> metrics;
  std::vector<PageChart> charts = standard_charts();
  std::vector<PageFact> results, settings;  // listed in the last section
  PageStory story = {};
  std::string task = {};        // its name
  tasks::TaskWords words = {};  // its description
  bool labels = false;          // whether its targets are labels, not the next tokens
  std::string scored_on = {};   // the sequences on which heads are scored; empty: none are
  std::optional<PageCertificate> certificate = {};  // absent: the page has no such part
  std::optional<PageWithout> without = {};          // absent: no head can be switched off
  std::vector<PagePeriod> periods = {};             // empty: the page has no such chart
  PageCircuits circuits = {};                       // how heads compose, and their weights
  std::optional<PageLab> lab = {};                  // absent: the page has no such part
  std::string picture = {};  // an SVG figure for readers without JavaScript; empty: none
};

// The page as bytes of a UTF-8 HTML file. No text of the page is interpreted as markup or script. Throws as
// page_data.
std::string report_page(const Page& page);

// The data of the page, as JSON in ASCII without "<". Throws Error for a number that is not finite, and for
// patterns that do not fit their sequence or the number of heads.
std::string page_data(const Page& page);

}  // namespace headlight::page
