#include "core/image/parallel_bands.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <cstddef>

namespace qs::core {

void forEachBand(int rows, const std::function<void(int first, int last)>& work,
                 const std::stop_token& stop)
{
    const int bands = (rows + kBandRows - 1) / kBandRows;
    inParallel(
        static_cast<std::size_t>(std::max(bands, 0)),
        [&](std::size_t index) {
            const int band = static_cast<int>(index);
            work(band * kBandRows, std::min(rows, (band + 1) * kBandRows));
        },
        stop);
}

}  // namespace qs::core
