// A library that the program opens while it runs, because few machines have what the library needs.
#pragma once

#include <filesystem>
#include <string>

namespace headlight::system {

// The address of the name in the library, which stays open until the process ends. A file without a slash is
// looked for as the system looks for libraries. Throws FileError with the system's reason.
const void* symbol_of(const std::filesystem::path& library, const std::string& name);

}  // namespace headlight::system
