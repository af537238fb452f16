#pragma once

#include "core/quant/scheme_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

[[nodiscard]] Registry<SchemeSpec>& schemeRegistry();
// What lists offer, in their order.
[[nodiscard]] std::vector<Scheme> offeredSchemes();
// The error lists the known names, or the parameters of the scheme that is meant.
[[nodiscard]] Result<Scheme> parseScheme(std::string_view text);
// For names that stand in the code.
[[nodiscard]] Scheme namedScheme(std::string_view text);

// True if the scheme stores other tensors than the weights of matched layers.
[[nodiscard]] bool quantizesWeights(const Scheme& scheme);
// True if matched layers are not what they are in the working type.
[[nodiscard]] bool composesLayers(const Scheme& scheme);
// What layers outside the matched ones run in.
[[nodiscard]] Scheme outsideScheme(const Scheme& scheme);
// What one layer multiplies with on a device.
[[nodiscard]] Product productOf(const Scheme& scheme, LayerKind kind,
                                const DeviceDescription& device);
// The rate that bounds a model with these schemes, one per stage: that of their fastest products,
// so that nothing can pass it. Nothing if one of the texts is no scheme.
[[nodiscard]] std::optional<double> fastestRate(const PeakRates& rates,
                                                const std::vector<std::string>& schemes);
// Bytes of a weight [out, in] with optional bias under a scheme; the bias in the working type.
[[nodiscard]] std::int64_t storedBytes(const Scheme& scheme, std::int64_t out, std::int64_t in,
                                       bool bias);
// Of one part of a weight: "m.weight:codes".
[[nodiscard]] std::string storedName(const std::string& weight, const StoredPart& part);

// Where a state finds what it begins as, if there is such a tensor: "m.weight:history:initial".
[[nodiscard]] std::string initialName(const std::string& state);
// What calibration leaves for a weight: "m.weight:statistic".
[[nodiscard]] std::string statisticName(const std::string& weight);
// Of a scheme that has a statistic.
[[nodiscard]] TensorType statisticType(const Scheme& scheme, std::int64_t in);

}  // namespace qs::core
