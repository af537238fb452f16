#include "core/image/comparable.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace qs::core {

Status checkFinite(std::span<const float> values, std::string_view what)
{
    const auto bad = std::count_if(values.begin(), values.end(),
                                   [](float value) { return !std::isfinite(value); });
    if (bad == 0)
        return {};
    return Error{ErrorCode::InvalidArgument, std::string(what) + " has " + std::to_string(bad) +
                                                 " NaN or infinite values of " +
                                                 std::to_string(values.size())};
}

Status checkComparable(const Picture& a, const Picture& b)
{
    QS_RETURN_IF_ERROR(checkPicture(a));
    QS_RETURN_IF_ERROR(checkPicture(b));
    if (a.width != b.width || a.height != b.height || a.channels != b.channels) {
        const auto text = [](const Picture& picture) {
            return std::to_string(picture.width) + " x " + std::to_string(picture.height) + " x " +
                   std::to_string(picture.channels);
        };
        return Error{ErrorCode::InvalidArgument,
                     "pictures of different sizes cannot be compared: " + text(a) + " and " +
                         text(b)};
    }
    QS_RETURN_IF_ERROR(checkFinite(a.values, "the first picture"));
    return checkFinite(b.values, "the second picture");
}

Status checkRange(double range)
{
    if (std::isfinite(range) && range > 0.0)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "the range of values must be positive, not " + formatExact(range)};
}

} // namespace qs::core
