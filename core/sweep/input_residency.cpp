#include "core/sweep/input_residency.h"

#include "core/base/checks.h"

#include <array>
#include <utility>

namespace qs::core {

namespace {

constexpr std::array<std::pair<InputResidency, std::string_view>, 4> kNames{{
    {InputResidency::Device, "device"},
    {InputResidency::Pageable, "pageable"},
    {InputResidency::Pinned, "pinned"},
    {InputResidency::Overlapped, "overlapped"},
}};

}  // namespace

std::string_view name(InputResidency residency)
{
    for (const auto& [value, text] : kNames) {
        if (value == residency)
            return text;
    }
    QS_ASSERT(false);
    return {};
}

Result<InputResidency> parseInputResidency(std::string_view text)
{
    for (const auto& [value, known] : kNames) {
        if (known == text)
            return value;
    }
    return Error{ErrorCode::InvalidArgument,
                 "\"" + std::string(text) +
                     "\" is no place of inputs; known are device, pageable, pinned, overlapped"};
}

std::vector<InputResidency> allInputResidencies()
{
    std::vector<InputResidency> all;
    for (const auto& [value, text] : kNames)
        all.push_back(value);
    return all;
}

}  // namespace qs::core
