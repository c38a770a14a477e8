// The version of the headers, for #if. core/version.h has that of the library, when the program runs.
#pragma once

#define HEADLIGHT_VERSION_MAJOR 0
#define HEADLIGHT_VERSION_MINOR 3
#define HEADLIGHT_VERSION_PATCH 0

// 0.3.0 is 3000, and 1.2.3 is 1002003: #if HEADLIGHT_VERSION >= 3000
#define HEADLIGHT_VERSION \
  (1000000 * HEADLIGHT_VERSION_MAJOR + 1000 * HEADLIGHT_VERSION_MINOR + HEADLIGHT_VERSION_PATCH)
