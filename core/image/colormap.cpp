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

Picture renderMap(const PixelMap& map, double low, double high, Colormap colormap)
{
    Picture picture = makePicture(map.width, map.height, 3);
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        const auto value = static_cast<double>(map.values[i]);
        double position = high > low ? (value - low) / (high - low) : (value > low ? 1.0 : 0.0);
        if (std::isnan(value))
            position = value;
        const RgbBytes colour = mapToRgb(position, colormap);
        for (std::size_t c = 0; c < 3; ++c)
            picture.values[3 * i + c] = static_cast<float>(colour[c]) / 255.0F;
    }
    return picture;
}

}  // namespace qs::core
