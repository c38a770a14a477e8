// All ops at once, and tensors as text.
#pragma once

#include "headlight/autograd/tensor_text.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/attention.h"
#include "headlight/ops/dropout.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/layer_norm.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/reduce.h"
#include "headlight/ops/rms_norm.h"
#include "headlight/ops/rotary.h"
#include "headlight/ops/smear.h"
#include "headlight/ops/softmax.h"
