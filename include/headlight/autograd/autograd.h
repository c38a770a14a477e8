// The whole engine at once: tensors, differentiation, ops of your own, and what looks for mistakes.
#pragma once

#include "headlight/autograd/anomaly.h"
#include "headlight/autograd/audit.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/derivatives.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/autograd/record.h"
#include "headlight/autograd/record_fused.h"
#include "headlight/autograd/tensor_text.h"
