// The parts of the page's JSON that have files of their own.
#pragma once

#include <nlohmann/json.hpp>

#include "headlight/page/page.h"

namespace headlight::page {

// Throws Error for a number that is not finite, and for a head that the page does not have.
nlohmann::ordered_json certificate_json(const PageCertificate& certificate, std::size_t heads);

// Throws Error when the numbers are not those of each set and position of `sequences`.
nlohmann::ordered_json without_json(const PageWithout& without, const std::vector<PageSequence>& sequences,
                                    std::size_t heads, std::size_t vocabulary);

nlohmann::ordered_json lab_json(const PageLab& lab);

}  // namespace headlight::page
