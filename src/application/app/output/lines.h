// Sentences in lines that fit the terminal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace headlight::app {

// Columns for sentences: those of the terminal or of the variable COLUMNS, at most 110; 110 elsewhere.
std::size_t text_columns();

// The text, made printable, in lines of at most `columns`, each with a line feed.
std::string in_lines(const std::string& text, std::size_t columns = text_columns());

// The path as a word of a command that is shown to be copied: quoted where a shell needs it, and printable.
std::string in_command(const std::filesystem::path& path);

// Prints the name of a file that was written: exactly for a program that reads it, printable on a terminal.
void print_file(const std::filesystem::path& file);

}  // namespace headlight::app
