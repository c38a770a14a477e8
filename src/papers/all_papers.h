// The papers, a file each.
#pragma once

#include "paper.h"

namespace headlight::papers {

Paper elhage_2022();
Paper olsson_2022();
Paper vonoswald_2022();

}  // namespace headlight::papers
