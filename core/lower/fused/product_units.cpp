#include "core/lower/fused/product_units.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr int kAmpere = 8;  // and Ada, by its major number
constexpr int kHopper = 9;

ProductUnits unitsOf(const DeviceDescription& device)
{
    if (device.kind != DeviceKind::Cuda)
        return ProductUnits::None;
    if (device.computeMajor == kHopper)
        return ProductUnits::Hopper;
    return device.computeMajor == kAmpere ? ProductUnits::Plain : ProductUnits::None;
}

// From the table of compute capabilities of the CUDA C++ Programming Guide.
int sharedBytesOf(const DeviceDescription& device)
{
    constexpr int kKibibyte = 1024;
    if (device.computeMajor >= kHopper)
        return 227 * kKibibyte;
    return (device.computeMinor == 0 || device.computeMinor == 7 ? 163 : 99) * kKibibyte;
}

}  // namespace

bool ProductChip::multiplies(ProductType type) const
{
    return units != ProductUnits::None && (type != ProductType::Float8 || hasFloat8);
}

ProductChip productChip(const DeviceDescription& device, ProductUnits most)
{
    return {std::min(unitsOf(device), most), device.atLeast(8, 9), device.processors,
            sharedBytesOf(device)};
}

ProductUnits mostUnits(const CompileMode& mode)
{
    return multipliesPlainly(mode) ? ProductUnits::Plain : ProductUnits::Hopper;
}

}  // namespace qs::core
