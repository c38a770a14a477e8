// All optimizers at once, with clipping and schedules.
#pragma once

#include "headlight/optim/adam.h"
#include "headlight/optim/clip.h"
#include "headlight/optim/lion.h"
#include "headlight/optim/muon.h"
#include "headlight/optim/schedule.h"
#include "headlight/optim/sgd.h"
