#include "over_ranks.h"

#include <cstdlib>
#include <new>

#include "headlight/core/version.h"
#include "headlight/ranks/mpi_wire.h"
#include "headlight/ranks/rank_exchange.h"
#include "headlight/ranks/threads.h"
#include "headlight/system/interrupt.h"
#include "headlight/system/machine.h"
#include "headlight/system/quiet.h"
#include "headlight/system/run_main.h"
#include "headlight/system/system.h"

namespace headlight::app {
namespace {

std::string hash_of(const tasks::Batch& batch) {
  std::string bytes;
  for (const IntArray* part : {&batch.tokens, &batch.targets, &batch.source})
    bytes.append(reinterpret_cast<const char*>(part->data()), part->size() * sizeof(std::int32_t));
  return ranks::short_hash(bytes);
}

// What must be the same in every rank.
std::vector<ranks::Fact> facts_of(run::Experiment& run) {
  std::vector<ranks::Fact> facts{{"the version", version()}};
  for (const run::ConfigPart& part : run::settings())
    for (const Setting<run::RunConfig>& row : part.rows)
      facts.push_back({part.name + "." + row.key, to_string(row.get(run.config()))});
  for (const tasks::TaskFile& file : run.task().files)
    facts.push_back({file.name + " with hash", ranks::short_hash(file.content)});
  const train::TrainConfig& c = run.config().train;
  facts.push_back({"a first batch with hash",
                   hash_of(tasks::draw_training_batch(run.task(), c.batch, Rng(c.seed).stream("data"), 0))});
  facts.push_back({"a number of steps done of", std::to_string(run.steps_done())});
  for (const auto& [name, parameter] : nn::named_parameters(run.model()))
    facts.push_back({name + " with hash", ranks::short_hash(parameter.array())});
  for (const auto& [name, arrays] : run.trainer().state().arrays)
    for (const Array& array : arrays)
      facts.push_back({"the optimizer's " + name + " with hash", ranks::short_hash(array)});
  return facts;
}

// After Ctrl-C mpirun kills the ranks a second after they hear of it, unless its user asked for more.
void note_how_to_stop() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr ||
      std::getenv("OMPI_MCA_odls_base_sigkill_timeout") != nullptr)
    return;
  note("Note: kill -USR1 {} stops this run and saves it. After Ctrl-C mpirun may kill it before it is saved.",
       system::parent_process_number());
}

void begin(ranks::RankExchange& exchange, run::Experiment& run, bool leads) {
  exchange.begin(run.steps_done(), facts_of(run));
  if (leads) note_how_to_stop();
}

int threads_in(ranks::Group& group, int threads) {
  const std::vector<ranks::Place> places =
      ranks::gather_places(group, {system::host_name(), system::cores(), system::usable_cores(), threads});
  if (const std::string text = ranks::note_on_threads(places); !text.empty()) note("Note: {}", text);
  return ranks::threads_of(places)[group.rank()];
}

int run_in(ranks::Group& group, const RankOptions& options, const std::function<int(const Rank&)>& body) {
  try {
    ranks::RankExchange exchange(group, InterruptScope::requested);
    const Rank rank{.threads = threads_in(group, options.threads),
                    .leads = group.rank() == 0,
                    .exchange = &exchange,
                    .begin = [&](run::Experiment& run) { begin(exchange, run, group.rank() == 0); },
                    .stopping = [&] { return exchange.stopping(); }};
    const int status = body(rank);
    group.gather("", "the end of the run");  // which rank 0 may still save
    return group.rank() == 0 ? status : 0;
  } catch (const ranks::GroupError& e) {
    group.fail_everywhere(e);
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(group.fail_everywhere(Error("there is not enough memory for these sizes.")));
  } catch (const std::exception& e) {
    throw Error(group.fail_everywhere(e));
  }
}

}  // namespace

int over_ranks(const RankOptions& options, const std::function<int(const Rank&)>& body) {
  if (ranks::launched_ranks() <= 1) return body({.threads = options.threads});
  std::optional<QuietScope> quiet;
  if (ranks::launched_rank() > 0) quiet.emplace();
  ranks::MpiWire wire;
  int status = 0;
  {
    ranks::Group group(wire, std::chrono::milliseconds(static_cast<std::int64_t>(1000 * options.timeout)));
    status = run_in(group, options, body);
  }
  wire.close();
  return status;
}

}  // namespace headlight::app
