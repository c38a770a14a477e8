// The machine that this process runs on.
#pragma once

#include <filesystem>
#include <string>

namespace headlight::system {

// The machine's name in its network.
std::string host_name();

// The machine's cores, and how many of them this process may use: a launcher may bind a process to a few.
int cores();
int usable_cores();

// The program's own file, behind links; empty where the system does not say.
std::filesystem::path program_file();

}  // namespace headlight::system
