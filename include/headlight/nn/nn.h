// All layers at once, and the transformer.
#pragma once

#include "headlight/autograd/tensor_text.h"
#include "headlight/nn/attention.h"
#include "headlight/nn/block.h"
#include "headlight/nn/check_model.h"
#include "headlight/nn/layers.h"
#include "headlight/nn/norm.h"
#include "headlight/nn/positions.h"
#include "headlight/nn/recurrent.h"
#include "headlight/nn/sequential.h"
#include "headlight/nn/transformer.h"
