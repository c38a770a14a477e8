// What a study of subsets says, and where its numbers stand.
#include "headlight/interpret/subsets.h"
#include "headlight/studies/head_studies.h"
#include "studies/run_by_hand.h"
#include "studies/studied.h"

using namespace headlight;
using namespace headlight::studies;

TEST_CASE("a study of subsets says what is enough and what each head is worth", "[studies][subsets]") {
  ThreadPool pool(1);
  const run::Run run = run_by_hand();
  const Study study = subset_study(run, {.sequences = 16}, pool);
  const interpret::Subsets subsets = interpret::all_subsets(
      *run.model, study_batch(run, 16), study_outputs(run, interpret::Ablation::mean, 16), pool);
  const interpret::SufficientSets found = interpret::sufficient_sets(subsets, 0.9);
  REQUIRE(study.tables.size() == 3);
  CHECK(study.tables[0].rows.size() == 4);
  CHECK(number(study.tables[0].rows[2][1]) == interpret::shapley_values(subsets.accuracy)[2]);
  CHECK(number(study.tables[0].rows[2][2]) == interpret::shapley_values(subsets.loss)[2]);
  REQUIRE(study.tables[1].rows.size() == found.minimal.size());
  REQUIRE(study.tables[2].rows.size() == found.destroying.size());
  const interpret::HeadBits first = found.minimal.front(), rest = subsets.all() & ~found.destroying.front();
  CHECK(text(study.tables[1].rows[0][1]) == interpret::codes_of(subsets.set(first)));
  CHECK(number(study.tables[1].rows[0][2]) == subsets.accuracy[first]);
  CHECK(number(study.tables[2].rows[0][2]) == subsets.accuracy[rest]);
  const auto says = [&](const std::string& part) {
    return std::any_of(study.sentences.begin(), study.sentences.end(),
                       [&](const std::string& s) { return contains(s, part); });
  };
  CHECK(says(fmt::format("All heads: accuracy {:.3f}, loss {:.3f}. No head: accuracy {:.3f}, loss {:.3f}.",
                         subsets.accuracy[15], subsets.loss[15], subsets.accuracy[0], subsets.loss[0])));
  CHECK(says(fmt::format("an accuracy of at least {:.3f}.", subsets.enough(0.9))));
  CHECK(says(fmt::format("{} of 16 sets are enough. {} of them {} minimal", found.sufficient,
                         found.minimal.size(), found.minimal.size() == 1 ? "is" : "are")));
  CHECK(says(found.in_every == 0
                 ? "No head is in every set that is enough."
                 : "Every set that is enough has " + interpret::codes_of(subsets.set(found.in_every)) + "."));
  CHECK(contains(study_svg(study), "All 16 sets: accuracy"));
  run::Run named = run_by_hand();
  named.results.certificate.emplace();
  named.results.certificate->verdict = interpret::Verdict::circuit;
  const auto said_of = [&](interpret::HeadBits circuit) {
    named.results.certificate->induction_heads = subsets.set(circuit);
    return subset_study(named, {.sequences = 16}, pool).sentences.back();
  };
  REQUIRE(first != subsets.all());
  CHECK(contains(said_of(first), ", which is one of the minimal sets."));
  CHECK(contains(said_of(subsets.all()), fmt::format(". {} of the minimal sets ", found.minimal.size())));
  CHECK(contains(said_of(first & (first - 1)), ". None of the minimal sets is part of it."));
  const Study nothing =
      subset_study(small_run(), {.sequences = 16}, pool);  // of a model that has learned little
  CHECK(nothing.tables.size() == 1);
  CHECK(contains(nothing.sentences.back(), "too little to ask which of them are enough"));
  CHECK(error_of([&] { subset_study(run, {.share = 1.5}, pool); }) ==
        "[subsets] expected a share above 0 and at most 1, got 1.5.");
}
