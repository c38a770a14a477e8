#pragma once

namespace headlight::lab {

// Whether a product and a sum are rounded once, as a terminal with fused multiply-add does.
bool rounds_once();

}  // namespace headlight::lab
