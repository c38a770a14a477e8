// The functions of puzzle.h for headlight_puzzle, which never calls them.
#include "puzzle.h"

std::string heads() { return ""; }
int looks_at(const Numbers&) { return 0; }
int carries(const Numbers&) { return 0; }
int answer(const Numbers&, int) { return 0; }
