#include "experiment_parts.h"
#include "experiment_state.h"
#include "headlight/core/check.h"
#include "headlight/page/run_page.h"
#include "headlight/run/examples.h"
#include "headlight/run/run_folder.h"
#include "headlight/studies/patterns.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/train/safetensors.h"
#include "manifest.h"
#include "saved_size.h"

namespace headlight::run {
namespace {

namespace fs = std::filesystem;

// The pattern of the most telling head.
std::string pattern_svg(const Experiment& run, const std::vector<interpret::HeadScores>& heads) {
  const interpret::HeadAt head = telling_head(heads);
  return draw::svg_heatmap(pattern_map(run.model(), run.task(),
                                       first_example(run.task(), run.config().train.seed), head,
                                       pattern_title(heads, head)));
}

}  // namespace

void Experiment::claim(const fs::path& folder) {
  if (parts_->claimed && parts_->claimed->folder() == FolderLock::resolve(folder)) return;
  claim(FolderLock(folder, parts_->command));
}

void Experiment::claim(FolderLock lock) {
  const FolderDraft possible(lock, is_run_entry);
  require_room(saved_bytes(parts_->config, parts_->task), room_at(possible.path()), lock.folder());
  parts_->replaced.emplace(lock.folder());
  parts_->claimed.emplace(std::move(lock));
}

// Not by its name again, which may lead elsewhere by now.
Results Experiment::save() const {
  check(parts_->claimed.has_value(), "[save] no folder is claimed. Hint: claim(folder), or save(folder).");
  return save_in(*parts_->claimed, *parts_->replaced);
}

Results Experiment::save(const fs::path& folder) const {
  if (parts_->claimed && parts_->claimed->folder() == FolderLock::resolve(folder)) return save();
  const FolderLock lock(folder, parts_->command);
  ReplacedRun replaced(lock.folder());
  return save_in(lock, replaced);
}

Results Experiment::save_in(const FolderLock& lock, ReplacedRun& replaced) const {
  const Parts& p = *parts_;
  const Results results = this->results();
  FolderDraft draft(lock, is_run_entry);
  const fs::path& to = draft.path();
  RunConfig config = p.config;
  for (const tasks::TaskFile& file : p.task.files) {
    write_file(to / file.name, file.content);
    config.task.text = file.name;
  }
  write_file(to / files::kConfig, to_json(config));
  const train::Weights weights = train::weights_of(*p.model);
  train::NamedArrays arrays;
  for (const auto& [name, array] : weights) arrays.emplace_back(name, &array);
  train::save_safetensors(to / files::kModel, arrays, {{"format", "headlight"}});
  save_state(to, {results.steps, results.train_seconds, p.loss_first, p.loss_last, p.trainer.state()},
             *p.model);
  for (std::size_t i = 0; i < p.observers.size(); ++i) {
    make_folder(p.folder_of(i, to));
    p.observers[i]->save(p.folder_of(i, to));
  }
  std::error_code not_empty;  // most observers keep nothing
  fs::remove(to / files::kObservers, not_empty);
  write_file(to / files::kSummary, to_json(results));
  if (!results.heads.empty()) write_file(to / files::kPattern, pattern_svg(*this, results.heads));
  write_manifest(to);
  std::string page, why_none;
  try {
    if (has_history(to))
      page = page_text(to, {.title = lock.folder().filename().string(), .threads = p.pool.threads()});
  } catch (const Error& e) {  // a page can be drawn later, a run that is not saved is lost
    why_none = e.what();
  }
  if (!page.empty()) write_file(to / files::kPage, page);
  replaced.spare_others();
  draft.place();
  replaced = ReplacedRun(lock.folder());
  if (!why_none.empty()) throw PlacedError("the page cannot be drawn: " + why_none, lock.folder());
  return results;
}

}  // namespace headlight::run
