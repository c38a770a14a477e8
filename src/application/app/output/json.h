// What commands print for --json: one object, {"command": "heads", "run": "runs/demo", …}. Its other keys are
// single values, or tables as lists of objects. docs/commands.md lists them.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/heatmap.h"
#include "headlight/interpret/attention_layers.h"
#include "headlight/system/json_output.h"

namespace headlight::app {

// The object with its first keys; without `run` for a command that is not of one run.
ordered_json json_of(const std::string& command, const std::string& run = "");

// The curves of charts: [{"chart": "accuracy", "curve": "predictable", "steps": […], "values": […]}, …].
// Throws Error for a number that is not finite.
ordered_json curves_json(const std::vector<draw::Chart>& charts);

// A head's pattern: {"stack": …, "layer": …, "head": …, "queries": […], "keys": […], "weights": [[…], …]},
// with a list of weights for each query.
ordered_json pattern_json(const interpret::HeadAt& head, const draw::Heatmap& pattern);

// Prints it. Invalid UTF-8, as of the name of a folder, is replaced.
void print_json(const ordered_json& json);

}  // namespace headlight::app
