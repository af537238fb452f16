#include "core/image/difference.h"

#include "core/image/comparable.h"

#include <cmath>
#include <limits>

namespace qs::core {

Result<Difference> difference(std::span<const float> values, std::span<const float> reference,
                              double range)
{
    QS_RETURN_IF_ERROR(checkRange(range));
    QS_TRY(const VectorDistance distance, vectorDistance(values, reference));
    Difference result{distance, std::numeric_limits<double>::infinity()};
    if (!distance.identical)
        result.psnrDb = 20.0 * std::log10(range) - 10.0 * std::log10(distance.meanSquaredError);
    return result;
}

Result<Difference> difference(const Picture& picture, const Picture& reference, double range)
{
    QS_RETURN_IF_ERROR(checkComparable(picture, reference));
    return difference(std::span(picture.values), std::span(reference.values), range);
}

Result<PixelMap> signedDifferenceMap(const Picture& picture, const Picture& reference)
{
    QS_RETURN_IF_ERROR(checkComparable(picture, reference));
    const auto channels = static_cast<std::size_t>(picture.channels);
    PixelMap map{picture.width, picture.height, 0, 0,
                 std::vector<float>(picture.values.size() / channels)};
    for (std::size_t i = 0; i < picture.values.size(); ++i)
        map.values[i / channels] +=
            (picture.values[i] - reference.values[i]) / static_cast<float>(channels);
    return map;
}

}  // namespace qs::core
