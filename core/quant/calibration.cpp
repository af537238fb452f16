#include "core/quant/calibration.h"

#include "core/base/enum_names.h"
#include "core/quant/scheme.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr double kMostSamples = 4096.0;
constexpr double kLargestSeed = 4294967295.0;
constexpr double kPercent = 100.0;

constexpr auto kSets = enumNames<CalibrationSet>({{CalibrationSet::Generated, "generated"},
                                                  {CalibrationSet::Inputs, "inputs"},
                                                  {CalibrationSet::Own, "own"}});
constexpr auto kMethods = enumNames<RangeMethod>({{RangeMethod::Extremes, "absmax"},
                                                  {RangeMethod::Percentile, "percentile"},
                                                  {RangeMethod::Mse, "mse"}});

template <typename Names>
std::vector<ParameterValue> choicesOf(const Names& names)
{
    std::vector<ParameterValue> choices;
    for (const auto value : names.values())
        choices.emplace_back(std::string(names.of(value)));
    return choices;
}

}  // namespace

std::vector<Parameter> calibrationParameters(std::int64_t samples)
{
    return {{.name = "samples",
             .description = "Samples of the calibration set",
             .fallback = samples,
             .lowest = 1.0,
             .highest = kMostSamples},
            {.name = "seed",
             .description = "Seed of generated calibration samples, or of the choice among one's "
                            "own (0: the first)",
             .fallback = std::int64_t{0},
             .lowest = 0.0,
             .highest = kLargestSeed},
            {.name = "set",
             .description = "Calibration set: generated samples, the inputs of the run, or a set "
                            "of one's own",
             .fallback = std::string("generated"),
             .choices = choicesOf(kSets)}};
}

std::vector<Parameter> rangeParameters()
{
    return {{.name = "method",
             .description = "Range of activations: all values, a percentile of them, or the range "
                            "with the least squared error",
             .fallback = std::string("absmax"),
             .choices = choicesOf(kMethods)},
            {.name = "percentile",
             .description = "Per cent of the values that the method percentile keeps in the range",
             .fallback = 99.99,
             .lowest = 50.0,
             .highest = kPercent},
            {.name = "range",
             .description = "Activations around zero, or with a zero point",
             .fallback = std::string("symmetric"),
             .choices = {std::string("symmetric"), std::string("affine")}}};
}

CalibrationSettings calibrationOf(const Scheme& scheme)
{
    return {scheme.whole("samples"), scheme.whole("seed"),
            kSets.parse(scheme.word("set"), "calibration set").value()};
}

RangeRule rangeRuleOf(const Scheme& scheme)
{
    return {kMethods.parse(scheme.word("method"), "range method").value(),
            scheme.real("percentile"), scheme.word("range") == "symmetric"};
}

bool anyCalibratesOn(CalibrationSet set, const std::vector<std::string>& precisions)
{
    return std::any_of(precisions.begin(), precisions.end(), [&](const std::string& text) {
        const auto scheme = parseScheme(text);
        return scheme.ok() && scheme.value()->statistic && calibrationOf(scheme.value()).set == set;
    });
}

std::string_view name(CalibrationSet set)
{
    return kSets.of(set);
}

}  // namespace qs::core
