#include "core/device/clock_reasons.h"

#include <array>
#include <utility>

namespace qs::core {

std::vector<std::string> slowdownReasons(std::uint64_t clockReasons)
{
    static constexpr std::array<std::pair<std::uint64_t, const char*>, 5> kWords{
        {{kPowerCap, "power cap"},
         {kHardwareSlowdown, "hardware slowdown"},
         {kSoftwareHeat, "software thermal slowdown"},
         {kHardwareHeat, "hardware thermal slowdown"},
         {kPowerBrake, "hardware power brake"}}};
    std::vector<std::string> words;
    for (const auto& [bit, word] : kWords) {
        if ((clockReasons & bit) != 0)
            words.emplace_back(word);
    }
    return words;
}

}  // namespace qs::core
