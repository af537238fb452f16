#include "core/sweep/gate_unit.h"

#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/sweep/gate_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace qs::core {

namespace {

using gate_text::quoted;
using gate_text::refuse;

constexpr double kKibi = 1024.0;
constexpr int kFewDigits = 6;

// A value is number * factor / divisor; dividing keeps decimal fractions exact.
struct Scale {
    std::string_view suffix;
    double factor = 1.0;
    double divisor = 1.0;

    [[nodiscard]] double read(double number) const { return number * factor / divisor; }
    [[nodiscard]] double show(double value) const { return value / factor * divisor; }
};

// The largest first; that which texts prefer when no other fits, last.
const std::vector<Scale>& scalesOf(MetricUnit unit)
{
    static const std::vector<Scale> kNone{{"x"}, {"×"}, {""}};
    static const std::vector<Scale> kFraction{{""}, {"%", 1.0, 100.0}};
    static const std::vector<Scale> kSeconds{
        {"s"}, {"ms", 1.0, 1e3}, {"µs", 1.0, 1e6}, {"us", 1.0, 1e6}};
    static const std::vector<Scale> kBytes{
        {"GiB", kKibi * kKibi * kKibi}, {"MiB", kKibi * kKibi}, {"KiB", kKibi}, {"B"}};
    static const std::vector<Scale> kDecibel{{""}, {"dB"}};
    static const std::vector<Scale> kNats{{""}, {"nats"}};
    static const std::vector<Scale> kPerSecond{{""}, {"/s"}};
    static const std::vector<Scale> kJoules{{""}, {"mJ", 1.0, 1e3}, {"J"}};
    switch (unit) {
    case MetricUnit::None:
        return kNone;
    case MetricUnit::Fraction:
        return kFraction;
    case MetricUnit::Seconds:
        return kSeconds;
    case MetricUnit::Bytes:
        return kBytes;
    case MetricUnit::Decibel:
        return kDecibel;
    case MetricUnit::Nats:
        return kNats;
    case MetricUnit::PerSecond:
        return kPerSecond;
    case MetricUnit::Joules:
        return kJoules;
    }
    QS_ASSERT(false);
    return kNone;
}

// That in which a value has few digits before the point.
const Scale& scaleFor(MetricUnit unit, double value)
{
    const auto& scales = scalesOf(unit);
    if (unit != MetricUnit::Seconds && unit != MetricUnit::Bytes)
        return scales.back();
    const auto found = std::find_if(scales.begin(), scales.end(), [&](const Scale& scale) {
        return std::abs(scale.show(value)) >= 1.0;
    });
    return found == scales.end() ? scales.back() : *found;
}

std::string generalText(double number, int digits)
{
    std::array<char, 64> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                       std::chars_format::general, digits);
    return {buffer.data(), written.ptr};
}

bool readsBack(const std::string& number, const Scale& scale, double value)
{
    double read = 0.0;
    std::from_chars(number.data(), number.data() + number.size(), read);
    return scale.read(read) == value;
}

// The one that suits a limit, if few digits say it there, else one in which they do: who writes
// 1958.3 MiB does not mean 1.91240234375 GiB.
const Scale& scaleOfLimit(MetricUnit unit, double limit)
{
    const auto isShort = [&](const Scale& scale) {
        return readsBack(generalText(scale.show(limit), kFewDigits), scale, limit);
    };
    const Scale& suited = scaleFor(unit, limit);
    const auto& scales = scalesOf(unit);
    const auto found = std::find_if(scales.begin(), scales.end(), isShort);
    return isShort(suited) || found == scales.end() ? suited : *found;
}

std::string withUnit(const std::string& number, const Scale& scale)
{
    return scale.suffix.empty() ? number : number + " " + std::string(scale.suffix);
}

std::string knownUnits(MetricUnit unit)
{
    std::string known;
    for (const Scale& scale : scalesOf(unit)) {
        if (!scale.suffix.empty())
            known += (known.empty() ? "" : ", ") + std::string(scale.suffix);
    }
    return known;
}

}  // namespace

Result<double> gateValueFrom(std::string_view text, MetricUnit unit, std::string_view name)
{
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number))
        return refuse("expected a number, found " + quoted(text));
    const std::string_view suffix =
        trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    for (const Scale& scale : scalesOf(unit)) {
        if (suffix == scale.suffix && std::isfinite(scale.read(number)))
            return scale.read(number);
    }
    return suffix.empty()
               ? refuse("give the unit of " + std::string(name) + ": " + knownUnits(unit))
               : refuse(quoted(suffix) + " is not a unit of " + std::string(name) + "; use " +
                        knownUnits(unit));
}

// Reads back to the same value: in the unit in which that takes few digits, else in the one that
// suits it if that is possible, else in the plain one. A product such as 0.07 * 100 has digits that
// its source had not.
std::string exactValueText(MetricUnit unit, double value)
{
    const Scale& scale = scaleOfLimit(unit, value);
    for (const int digits : {kFewDigits, 10, 15}) {
        const std::string number = generalText(scale.show(value), digits);
        if (readsBack(number, scale, value))
            return withUnit(number, scale);
    }
    const auto& scales = scalesOf(unit);
    const auto plain = std::find_if(scales.begin(), scales.end(), [](const Scale& each) {
        return each.factor == 1.0 && each.divisor == 1.0;
    });
    return withUnit(formatExact(value), *plain);
}

std::string roundedValueText(MetricUnit unit, double value, int digits, double limit)
{
    const Scale& suited = scaleFor(unit, value);
    const Scale& scale = &suited == &scaleFor(unit, limit) ? scaleOfLimit(unit, limit) : suited;
    return withUnit(formatSignificant(scale.show(value), digits), scale);
}

}  // namespace qs::core
