// Moved to system/run_main.h; here for programs that were written before.
#pragma once

#include "headlight/system/run_main.h"
