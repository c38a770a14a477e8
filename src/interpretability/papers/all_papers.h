// The papers, a file each.
#pragma once

#include "paper.h"

namespace headlight::papers {

Paper elhage_2022();
Paper olsson_2022();
Paper vonoswald_2022();
Paper nanda_2023();
Paper quirke_2023();
Paper arora_2023();
Paper edelman_2024();
Paper makkuva_2024();
Paper nichani_2024();
Paper sanford_2024();
Paper musat_2025();

}  // namespace headlight::papers
