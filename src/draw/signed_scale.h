// What drawings of a SignedMap share.
#pragma once

#include <string>

#include "headlight/draw/signed_map.h"

namespace headlight::draw {

// Throws Error as terminal_signed_map does. `what` is the drawing, for messages.
void check_signed_map(const SignedMap& map);

// The largest magnitude; 1 if all numbers are 0 or absent, so that one may divide by it.
double largest_magnitude(const SignedMap& map);

// "+0.31", "-1.20"; a number that rounds to 0 has no sign.
std::string signed_number(double value, int decimals);

// "-1.20 … +1.20 nats; row = sender, column = receiver"
std::string signed_legend(const SignedMap& map);

}  // namespace headlight::draw
