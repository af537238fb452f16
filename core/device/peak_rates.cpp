#include "core/device/peak_rates.h"

#include <algorithm>
#include <array>

namespace qs::core {

namespace {

struct Published {
    std::string_view name;  // as the driver gives it
    PeakRates rates;
};

constexpr double kMebibyte = 1024.0 * 1024.0;

// From the data sheets of NVIDIA: H200 and H100 SXM (they share the chip and its clocks), A100 SXM.
// The sheets of Hopper give figures with sparsity, twice of these.
constexpr PeakRates kH200{66.9e12, 494.7e12, 989.4e12, 1978.9e12, 4.8e12, 50.0 * kMebibyte};
constexpr PeakRates kH100{66.9e12, 494.7e12, 989.4e12, 1978.9e12, 3.35e12, 50.0 * kMebibyte};
constexpr PeakRates kA100{19.5e12, 156e12, 312e12, 624e12, 2.039e12, 40.0 * kMebibyte};
constexpr PeakRates kSmallA100{19.5e12, 156e12, 312e12, 624e12, 1.555e12, 40.0 * kMebibyte};
constexpr std::array<Published, 4> kPublished{{{"NVIDIA H200", kH200},
                                               {"NVIDIA H100 80GB HBM3", kH100},
                                               {"NVIDIA A100-SXM4-80GB", kA100},
                                               {"NVIDIA A100-SXM4-40GB", kSmallA100}}};

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

double shortestReading(const PeakRates& rates, double bytes)
{
    return std::max(0.0, bytes - rates.cache) / rates.memory;
}

}  // namespace qs::core
