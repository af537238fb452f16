#include "core/device/peak_rates.h"

#include <algorithm>
#include <array>

namespace qs::core {

namespace {

struct Published {
    std::string_view name;  // as the driver gives it
    PeakRates rates;
};

// From the data sheets of NVIDIA: H200 and H100 SXM (they share the chip and its clocks), A100 SXM.
// The sheets of Hopper give figures with sparsity, twice of these.
constexpr PeakRates kHopperSxm{66.9e12, 494.7e12, 989.4e12, 1978.9e12};
constexpr PeakRates kA100Sxm{19.5e12, 156e12, 312e12, 624e12};
constexpr std::array<Published, 4> kPublished{{{"NVIDIA H200", kHopperSxm},
                                               {"NVIDIA H100 80GB HBM3", kHopperSxm},
                                               {"NVIDIA A100-SXM4-80GB", kA100Sxm},
                                               {"NVIDIA A100-SXM4-40GB", kA100Sxm}}};

bool isOneOf(std::string_view scheme, std::initializer_list<std::string_view> schemes)
{
    return std::find(schemes.begin(), schemes.end(), scheme) != schemes.end();
}

}  // namespace

std::optional<PeakRates> publishedPeakRates(const DeviceDescription& device)
{
    const auto found =
        std::find_if(kPublished.begin(), kPublished.end(),
                     [&](const Published& each) { return each.name == device.name; });
    return found == kPublished.end() ? std::nullopt : std::optional(found->rates);
}

std::optional<double> peakRateOf(const PeakRates& rates, std::string_view scheme)
{
    if (scheme == "fp32")
        return rates.bits32;
    if (scheme == "tf32")
        return rates.tf32;
    // Weights that are stored small are widened before they are multiplied.
    if (isOneOf(scheme, {"bf16", "fp16", "bf16-autocast", "int8wo", "float8wo", "int4wo-128",
                         "gptq-int4-128"}))
        return rates.bits16;
    if (isOneOf(scheme, {"int8dq", "int8sq", "int8-static", "float8dq-tensor", "float8dq-row",
                         "float8-delayed"}))
        return rates.bits8;
    return std::nullopt;
}

std::optional<double> peakRateOf(const PeakRates& rates, const std::vector<std::string>& schemes)
{
    std::optional<double> fastest;
    for (const std::string& scheme : schemes) {
        const auto rate = peakRateOf(rates, scheme);
        if (!rate)
            return std::nullopt;
        fastest = std::max(fastest, rate);
    }
    return fastest;
}

}  // namespace qs::core
