#include "core/image/comparable.h"

#include "core/base/format.h"
#include "core/stats/rows.h"

#include <cmath>
#include <string>

namespace qs::core {

Status checkComparable(const Picture& a, const Picture& b)
{
    QS_RETURN_IF_ERROR(checkPicture(a));
    QS_RETURN_IF_ERROR(checkPicture(b));
    if (a.width != b.width || a.height != b.height || a.channels != b.channels) {
        const auto text = [](const Picture& picture) {
            return std::to_string(picture.width) + " x " + std::to_string(picture.height) + " x " +
                   std::to_string(picture.channels);
        };
        return Error{ErrorCode::InvalidArgument, "images of different sizes cannot be compared: " +
                                                     text(a) + " and " + text(b)};
    }
    QS_RETURN_IF_ERROR(checkFinite(a.values, "the first image"));
    return checkFinite(b.values, "the second image");
}

Status checkRange(double range)
{
    if (std::isfinite(range) && range > 0.0)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "the range of values must be positive, not " + formatExact(range)};
}

}  // namespace qs::core
