#pragma once

#include <functional>
#include <stop_token>

namespace qs::core {

// Rows per piece of work. Fixed, so that a result does not depend on the number of processors.
inline constexpr int kBandRows = 64;

// Calls work(first, last) for the bands [0, 64), [64, 128), … of `rows` rows on up to 16 threads
// and waits for all. Bands of one call run at the same time: they may write only what belongs to
// their rows. The first exception of `work` is thrown again here. When a stop is asked for, bands
// that have not begun are left out.
void forEachBand(int rows, const std::function<void(int first, int last)>& work,
                 const std::stop_token& stop = {});

}  // namespace qs::core
