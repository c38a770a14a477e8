// Includes xtensor's headers, which version 0.26 moved into folders. No other file includes xtensor.
#pragma once

#if __has_include(<xtensor/containers/xarray.hpp>)
#include <xtensor/containers/xarray.hpp>
#else
#include <xtensor/xarray.hpp>
#endif
