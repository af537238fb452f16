#include "core/stats/rows.h"

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

Status checkRows(std::span<const float> values, std::span<const float> reference, std::size_t width)
{
    if (values.size() != reference.size() || values.empty())
        return Error{ErrorCode::InvalidArgument, "cannot compare " + std::to_string(values.size()) +
                                                     " values with " +
                                                     std::to_string(reference.size())};
    if (width == 0 || values.size() % width != 0)
        return Error{ErrorCode::InvalidArgument, std::to_string(values.size()) +
                                                     " values are not a multiple of rows of " +
                                                     std::to_string(width)};
    QS_RETURN_IF_ERROR(checkFinite(values, "the result"));
    return checkFinite(reference, "the reference");
}

}  // namespace qs::core
