// What is wrong with a line that cannot be understood, in one sentence.
#pragma once

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "headlight/core/ascii.h"
#include "headlight/core/check.h"
#include "headlight/core/names.h"

namespace headlight::program {

inline bool is_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !ascii::is_digit(word[1]);
}

inline std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

// "there is no command 'trian': expected demo, …", "train has no flag '--stpes': …", "plot: 'b' is one
// argument too many". The unknown words are those that the program or the command chosen left over.
inline std::string about_extras(const CLI::App& program, const std::vector<std::string>& commands) {
  const CLI::App* app = &program;
  std::string name;
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().back();
    name += (name.empty() ? "" : " ") + app->get_name();
  }
  const std::vector<std::string> extras = program.remaining(true);
  if (app == &program && !commands.empty() && !is_flag(extras.front())) {
    if (std::find(commands.begin(), commands.end(), extras.front()) != commands.end())
      return fmt::format("'{0}' belongs to another program: ./headlight {0} builds and starts it.",
                         extras.front());
    return fmt::format("there is no command '{}'.{} The commands: {}.", extras.front(),
                       did_you_mean(extras.front(), commands), fmt::join(commands, ", "));
  }
  const auto flag = std::find_if(extras.begin(), extras.end(), is_flag);
  const std::string who = name.empty() ? program.get_name() : name;
  if (flag == extras.end()) return fmt::format("{}: '{}' is one argument too many.", who, extras.front());
  const std::string typed = flag->substr(0, flag->find('='));
  const std::vector<std::string> known = flags_of(*app);
  return fmt::format("{} has no flag '{}'.{} Its flags: {}.", who, typed, did_you_mean(typed, known),
                     fmt::join(known, ", "));
}

// CLI11's own words, where they are not plain: "--layer: 1 required UINT missing", "Could not convert: --step
// = a".
inline std::string in_plain_words(const CLI::ParseError& error) {
  const std::string message = error.what();
  const auto part = [&](std::size_t begin, std::size_t end) { return message.substr(begin, end - begin); };
  const std::size_t colon = message.find(": "), equals = message.find(" = ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && colon != std::string::npos)
    return message.ends_with("missing") ? part(0, colon) + " needs a value."
                                        : part(0, colon) + " is given more than once.";
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && equals != std::string::npos &&
      colon < equals)
    return fmt::format("{}: the number '{}' is out of range.", part(colon + 2, equals),
                       message.substr(equals + 3));
  return message.ends_with('.') ? message : message + ".";
}

inline std::string misread(const CLI::App& program, const CLI::ParseError& error,
                           const std::vector<std::string>& commands) {
  return dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ? about_extras(program, commands)
                                                                  : in_plain_words(error);
}

}  // namespace headlight::program
