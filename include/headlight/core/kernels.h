// All arithmetic on whole arrays at once.
#pragma once

#include "headlight/core/broadcast_kernels.h"
#include "headlight/core/elementwise.h"
#include "headlight/core/rearrange.h"
