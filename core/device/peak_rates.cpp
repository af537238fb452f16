#include "core/device/peak_rates.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace qs::core {

namespace {

// FLOP that one multiprocessor does in a cycle, from the white papers of the architectures.
struct Architecture {
    double bits32;
    double bits16;
    bool hasTf32;
};

constexpr Architecture kTuring{128.0, 1024.0, false};  // TU104
constexpr Architecture kA100{128.0, 2048.0, true};     // GA100
constexpr Architecture kAmpere{256.0, 1024.0, true};   // GA102
constexpr Architecture kAda{256.0, 1024.0, true};
constexpr Architecture kHopper{256.0, 4096.0, true};

struct Published {
    std::string_view name;  // as the driver gives it
    Architecture architecture;
    double processors;
    double boost;         // Hz
    double productBoost;  // Hz that the tensor cores' figures are given for
    double memory;        // bytes per second
    double mebibytes;     // of L2
};

// From the data sheets and white papers of NVIDIA, not rounded as the sheets print them: a roof
// that is rounded down is too low. The sheets of Ada and Hopper print figures with sparsity, twice
// of these. Here are only devices that the driver never clocks higher than the sheet says: GeForce
// and RTX workstation cards (3090, 4090, A6000, 6000 Ada) run above the clock of theirs.
constexpr std::array kPublished{
    // "NVIDIA H200 Tensor Core GPU" data sheet: the chip and the clocks of H100 SXM.
    Published{"NVIDIA H200", kHopper, 132, 1.98e9, 1.83e9, 4.8e12, 50},
    // "NVIDIA H100 Tensor Core GPU Architecture" white paper, table of SXM5 and PCIe.
    Published{"NVIDIA H100 80GB HBM3", kHopper, 132, 1.98e9, 1.83e9, 3.35e12, 50},
    Published{"NVIDIA H100 PCIe", kHopper, 114, 1.755e9, 1.62e9, 2.039e12, 50},
    // The first "NVIDIA H100" data sheet has a pair at twice an SXM, later ones a sixth less.
    Published{"NVIDIA H100 NVL", kHopper, 132, 1.98e9, 1.83e9, 3.938e12, 50},
    // "NVIDIA A100 Tensor Core GPU" data sheet: 40 and 80 GB, SXM and PCIe.
    Published{"NVIDIA A100-SXM4-80GB", kA100, 108, 1.41e9, 1.41e9, 2.039e12, 40},
    Published{"NVIDIA A100-SXM4-40GB", kA100, 108, 1.41e9, 1.41e9, 1.555e12, 40},
    Published{"NVIDIA A100 80GB PCIe", kA100, 108, 1.41e9, 1.41e9, 1.935e12, 40},
    Published{"NVIDIA A100-PCIE-40GB", kA100, 108, 1.41e9, 1.41e9, 1.555e12, 40},
    // "NVIDIA L40S" data sheet; the cache from the "NVIDIA Ada GPU Architecture" white paper.
    Published{"NVIDIA L40S", kAda, 142, 2.52e9, 2.52e9, 864e9, 96},
    // "NVIDIA L4 Tensor Core GPU" data sheet; the cache as above.
    Published{"NVIDIA L4", kAda, 58, 2.04e9, 2.04e9, 300e9, 48},
    // "NVIDIA A10 Tensor Core GPU" data sheet; the cache from the GA102 white paper.
    Published{"NVIDIA A10", kAmpere, 72, 1.695e9, 1.695e9, 600e9, 6},
    // "NVIDIA T4 Tensor Core GPU" data sheet; the cache from the Turing white paper.
    Published{"Tesla T4", kTuring, 40, 1.59e9, 1.59e9, 320e9, 4},
};

PeakRates ratesOf(const Published& device)
{
    const Architecture& architecture = device.architecture;
    PeakRates rates;
    rates.bits32 = device.processors * architecture.bits32 * device.boost;
    rates.bits16 = device.processors * architecture.bits16 * device.productBoost;
    // Without the format, products that may use it are those of fp32.
    rates.tf32 = architecture.hasTf32 ? rates.bits16 / 2.0 : rates.bits32;
    // int8, and float8 where it exists.
    rates.bits8 = rates.bits16 * 2.0;
    rates.memory = device.memory;
    rates.cache = device.mebibytes * 1024.0 * 1024.0;
    return rates;
}

}  // namespace

std::optional<PeakRates> publishedPeakRates(const DeviceDescription& device)
{
    const auto found =
        std::find_if(kPublished.begin(), kPublished.end(),
                     [&](const Published& each) { return each.name == device.name; });
    return found == kPublished.end() ? std::nullopt : std::optional(ratesOf(*found));
}

double rateOf(const PeakRates& rates, PeakClass products)
{
    switch (products) {
    case PeakClass::Bits32:
        return rates.bits32;
    case PeakClass::Tf32:
        return rates.tf32;
    case PeakClass::Bits16:
        return rates.bits16;
    case PeakClass::Bits8:
        return rates.bits8;
    }
    return rates.bits32;
}

double shortestReading(const PeakRates& rates, double bytes)
{
    return std::max(0.0, bytes - rates.cache) / rates.memory;
}

}  // namespace qs::core
