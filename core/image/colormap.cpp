#include "core/image/colormap.h"

#include "core/image/colormap_tables.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

RgbBytes mapToRgb(double value, Colormap colormap)
{
    if (std::isnan(value))
        return kNotANumberColour;
    const ColormapTable& table = colormap == Colormap::Magma ? kMagmaTable : kBlueWhiteRedTable;
    return table[static_cast<std::size_t>(std::clamp(value, 0.0, 1.0) * 255.0 + 0.5)];
}

}  // namespace qs::core
