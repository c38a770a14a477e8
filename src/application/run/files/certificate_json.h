// The certificate in summary.json.
#pragma once

#include "fields.h"
#include "headlight/interpret/certificate.h"
#include "json.h"

namespace headlight::run {

ordered_json certificate_json(const interpret::Certificate& certificate);

// Throws Error for damage, as Fields does.
interpret::Certificate certificate_from(const Fields& fields);

}  // namespace headlight::run
