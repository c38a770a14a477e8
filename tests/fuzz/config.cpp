#include "headlight/run/config.h"
#include "fuzz/targets.h"

// What is read comes back from what is written of it.
void headlight::fuzz::config(const std::string& bytes) {
  using namespace run;
  refusable([&] {
    const RunConfig config = run_config_from_json(bytes);
    const std::string written = to_json(config);
    require(to_json(run_config_from_json(written)) == written, "a config does not come back");
    for (const ConfigPart& part : settings()) check_settings(part.rows, config, part.name);
  });
}
