#include "core/quant/scheme.h"

#include "core/quant/rest_of_model.h"
#include "core/quant/schemes/built_in.h"

#include <algorithm>

namespace qs::core {

Registry<SchemeSpec>& schemeRegistry()
{
    static Registry<SchemeSpec> registry("precision scheme", builtInSchemes());
    return registry;
}

std::vector<Scheme> offeredSchemes()
{
    std::vector<Scheme> offered;
    for (const SchemeSpec& spec : schemeRegistry().specs()) {
        if (spec.ofPrograms)
            continue;
        if (spec.offered.empty())
            offered.emplace_back(spec);
        for (const std::string& text : spec.offered)
            offered.push_back(namedScheme(text));
    }
    return offered;
}

Result<Scheme> parseScheme(std::string_view text)
{
    return schemeRegistry().parse(text);
}

Scheme namedScheme(std::string_view text)
{
    return parseScheme(text).value();
}

bool quantizesWeights(const Scheme& scheme)
{
    return static_cast<bool>(scheme->stored);
}

bool composesLayers(const Scheme& scheme)
{
    return static_cast<bool>(scheme->linear);
}

Scheme outsideScheme(const Scheme& scheme)
{
    const std::string name = nameOutside(scheme);
    return name.empty() ? scheme : namedScheme(name);
}

Product productOf(const Scheme& scheme, LayerKind kind, const DeviceDescription& device)
{
    if (kind == LayerKind::Convolution && scheme->convolutionProduct)
        return scheme->convolutionProduct(scheme, device);
    if (kind == LayerKind::Convolution)
        return {"aten::conv2d", productTypeOf(scheme)};
    return scheme->product ? scheme->product(scheme, device)
                           : Product{"aten::linear", productTypeOf(scheme)};
}

std::optional<double> fastestRate(const PeakRates& rates, const std::vector<std::string>& schemes)
{
    std::optional<double> fastest;
    for (const std::string& text : schemes) {
        const auto scheme = parseScheme(text);
        if (!scheme.ok())
            return std::nullopt;
        fastest = std::max(fastest, std::optional(rateOf(rates, scheme.value()->peak)));
    }
    return fastest;
}

std::int64_t storedBytes(const Scheme& scheme, std::int64_t out, std::int64_t in, bool bias)
{
    const std::int64_t element = byteSize(workingTypeOf(scheme));
    std::int64_t bytes = bias ? out * element : 0;
    if (!quantizesWeights(scheme))
        return bytes + out * in * element;
    for (const StoredPart& part : scheme->stored(scheme, out, in))
        bytes += part.type.bytes();
    return bytes;
}

std::string storedName(const std::string& weight, const StoredPart& part)
{
    return weight + ":" + part.name;
}

std::string initialName(const std::string& state)
{
    return state + ":initial";
}

std::string statisticName(const std::string& weight)
{
    return weight + ":statistic";
}

TensorType statisticType(const Scheme& scheme, std::int64_t in)
{
    switch (scheme->statistic.value()) {
    case Statistic::FeatureMaxima:
        return {DType::Float32, {in}};
    case Statistic::Range:
        return {DType::Float32, {2}};
    case Statistic::RecentMaxima:
        return {DType::Float32, {scheme.whole("history")}};
    case Statistic::SecondMoments:
        break;
    }
    QS_ASSERT(false);  // of a solver: no composition reads it
    return {};
}

}  // namespace qs::core
