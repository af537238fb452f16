#include "core/sweep/gate.h"

#include "core/base/format.h"
#include "core/sweep/cell_member.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace qs::core {

namespace {

constexpr std::size_t kLongestText = 1000;  // bytes
constexpr double kKibi = 1024.0;

// A value is number * factor / divisor; dividing keeps decimal fractions exact.
struct Scale {
    std::string_view suffix;
    double factor = 1.0;
    double divisor = 1.0;

    [[nodiscard]] double read(double number) const { return number * factor / divisor; }
    [[nodiscard]] double show(double value) const { return value / factor * divisor; }
};

// The largest first; that which texts prefer when no other fits, last.
const std::vector<Scale>& scalesOf(GateUnit unit)
{
    static const std::vector<Scale> kNone{{"x"}, {"×"}, {""}};
    static const std::vector<Scale> kFraction{{""}, {"%", 1.0, 100.0}};
    static const std::vector<Scale> kSeconds{
        {"s"}, {"ms", 1.0, 1e3}, {"µs", 1.0, 1e6}, {"us", 1.0, 1e6}};
    static const std::vector<Scale> kBytes{
        {"GiB", kKibi * kKibi * kKibi}, {"MiB", kKibi * kKibi}, {"KiB", kKibi}, {"B"}};
    static const std::vector<Scale> kDecibel{{""}, {"dB"}};
    static const std::vector<Scale> kPerSecond{{""}, {"/s"}};
    switch (unit) {
    case GateUnit::None:
        return kNone;
    case GateUnit::Fraction:
        return kFraction;
    case GateUnit::Seconds:
        return kSeconds;
    case GateUnit::Bytes:
        return kBytes;
    case GateUnit::Decibel:
        return kDecibel;
    case GateUnit::PerSecond:
        return kPerSecond;
    }
    QS_ASSERT(false);
    return kNone;
}

// That in which a value has few digits before the point.
const Scale& scaleFor(GateUnit unit, double value)
{
    const auto& scales = scalesOf(unit);
    if (unit != GateUnit::Seconds && unit != GateUnit::Bytes)
        return scales.back();
    const auto found = std::find_if(scales.begin(), scales.end(), [&](const Scale& scale) {
        return std::abs(scale.show(value)) >= 1.0;
    });
    return found == scales.end() ? scales.back() : *found;
}

std::string withUnit(const std::string& number, const Scale& scale)
{
    return scale.suffix.empty() ? number : number + " " + std::string(scale.suffix);
}

// Reads back to the same value: in the unit that suits it if that is possible, else in the plain
// one. A product such as 0.07 * 100 has digits that its source had not.
std::string exactText(GateUnit unit, double value)
{
    const Scale& suited = scaleFor(unit, value);
    for (const int digits : {6, 10, 15, 17}) {
        std::array<char, 64> buffer{};
        const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                           suited.show(value), std::chars_format::general, digits);
        double read = 0.0;
        std::from_chars(buffer.data(), written.ptr, read);
        if (suited.read(read) == value)
            return withUnit(std::string(buffer.data(), written.ptr), suited);
    }
    const auto& scales = scalesOf(unit);
    const auto plain = std::find_if(scales.begin(), scales.end(), [](const Scale& scale) {
        return scale.factor == 1.0 && scale.divisor == 1.0;
    });
    return withUnit(formatExact(value), *plain);
}

constexpr std::array<std::pair<std::string_view, GateRelation>, 6> kRelations{
    {{">=", GateRelation::AtLeast},
     {"<=", GateRelation::AtMost},
     {"≥", GateRelation::AtLeast},
     {"≤", GateRelation::AtMost},
     {">", GateRelation::Greater},
     {"<", GateRelation::Less}}};

std::string_view relationText(GateRelation relation)
{
    return std::find_if(kRelations.begin(), kRelations.end(),
                        [&](const auto& each) { return each.second == relation; })
        ->first;
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string quoted(std::string_view text)
{
    return "\"" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "…\"" : "\"");
}

Error refuse(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

std::string knownMetrics()
{
    std::string known;
    for (const GateMetricInfo& info : gateMetrics())
        known += (known.empty() ? "" : ", ") + std::string(info.name);
    return known;
}

Result<GateMetric> metricFrom(std::string_view name)
{
    if (name.empty())
        return refuse("begin with what is expected, one of " + knownMetrics());
    for (const GateMetricInfo& info : gateMetrics()) {
        if (name == info.name || name == info.column)
            return info.metric;
    }
    return refuse("nothing is called " + quoted(name) + "; there are " + knownMetrics());
}

std::string knownUnits(GateUnit unit)
{
    std::string known;
    for (const Scale& scale : scalesOf(unit)) {
        if (!scale.suffix.empty())
            known += (known.empty() ? "" : ", ") + std::string(scale.suffix);
    }
    return known;
}

Result<double> valueFrom(std::string_view text, const GateMetricInfo& info)
{
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number))
        return refuse("expected a number, found " + quoted(text));
    const std::string_view suffix =
        trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    for (const Scale& scale : scalesOf(info.unit)) {
        if (suffix == scale.suffix && std::isfinite(scale.read(number)))
            return scale.read(number);
    }
    return suffix.empty()
               ? refuse("say the unit of " + std::string(info.name) + ": " + knownUnits(info.unit))
               : refuse(quoted(suffix) + " is no unit of " + std::string(info.name) + "; it has " +
                        knownUnits(info.unit));
}

Status setCondition(Gate& gate, std::string_view name, std::string_view value)
{
    if (value.empty() || value.size() > kLongestText)
        return refuse("the condition " + quoted(name) + " has no value");
    if (name == "batch") {
        QS_TRY(const std::string batch, normalValue(name, value));
        gate.batch = std::stoll(batch);
    } else if (name == "precision") {
        QS_TRY(gate.precision, normalValue(name, value));
    } else if (name == "model") {
        QS_TRY(gate.model, normalValue(name, value));
    } else if (name == "device") {
        QS_TRY(gate.device, normalValue(name, value));
    } else {
        return refuse(quoted(name) + " is no condition; there are device, model, precision, batch");
    }
    return {};
}

Status readConditions(Gate& gate, std::string_view text)
{
    while (true) {
        const std::size_t end = text.find(';');
        const std::string_view item = trimmed(text.substr(0, end));
        const std::size_t sign = item.find('=');
        if (sign == std::string_view::npos)
            return refuse("after \"for\" stand conditions such as batch=16; precision=int8dq");
        QS_RETURN_IF_ERROR(
            setCondition(gate, trimmed(item.substr(0, sign)), trimmed(item.substr(sign + 1))));
        if (end == std::string_view::npos)
            return {};
        text.remove_prefix(end + 1);
    }
}

Gate gateFromObject(const Json& json, const std::string& path, std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    Gate gate;
    const std::string expect = fields.text("expect");
    if (fields.require("expect") != nullptr) {
        Result<Gate> read = gateFromText(expect);
        if (!read.ok())
            fields.complain("expect", read.error().message);
        else
            gate = std::move(read).value();
    }
    for (const char* name : {"device", "model", "precision"}) {
        if (fields.find(name) == nullptr)
            continue;
        const Status status = setCondition(gate, name, fields.text(name));
        if (!status.ok())
            fields.complain(name, status.error().message);
    }
    if (fields.find("batch") != nullptr)
        gate.batch = fields.integer("batch", 1, 1, INT32_MAX);
    fields.finish();
    return gate;
}

}  // namespace

const std::vector<GateMetricInfo>& gateMetrics()
{
    using enum GateMetric;
    using enum GateUnit;
    static const std::vector<GateMetricInfo> kMetrics{
        {Throughput, "throughput", "throughput_pictures_per_second", PerSecond, false,
         "pictures per second"},
        {Latency, "latency", "seconds_per_pass", Seconds, false,
         "median time of one pass over the repeats"},
        {Variation, "cv", "variation_within_rounds_fraction", Fraction, false,
         "standard deviation over mean of the passes of a repeat"},
        {Speedup, "speedup", "speedup_ratio", None, false,
         "time of the speed baseline over that of the cell; needs three repeats"},
        {AllocatedPeak, "allocated_peak", "allocated_peak_bytes", Bytes, false,
         "most memory in use by tensors on the device"},
        {ReservedPeak, "reserved_peak", "reserved_peak_bytes", Bytes, false,
         "most memory taken from the device"},
        {ProcessPeak, "process_peak", "process_peak_bytes", Bytes, false,
         "most memory of the process"},
        {SsimMean, "ssim_mean", "ssim_mean", None, true,
         "SSIM against the quality reference, mean over pictures"},
        {SsimWorst, "ssim_worst", "ssim_worst", None, true, "the same of the worst picture"},
        {PsnrMean, "psnr_mean", "psnr_mean_db", Decibel, true,
         "PSNR against the quality reference, mean over pictures that differ"},
        {PsnrWorst, "psnr_worst", "", Decibel, true, "the same of the worst picture"},
        {NoiseMultiple, "noise_multiple", "noise_floor_multiple", None, true,
         "distance from the reference over the noise floor"},
        {WorstNoiseMultiple, "worst_noise_multiple", "", None, true,
         "the same of the worst picture"},
        {MaximumDifference, "maximum_difference", "", None, false,
         "largest difference from the reference of any value, of a range from 0 to 1"},
        {ReconstructionSsim, "reconstruction_ssim", "reconstruction_ssim_mean", None, true,
         "SSIM of outputs against the inputs"},
        {ReconstructionPsnr, "reconstruction_psnr", "reconstruction_psnr_mean_db", Decibel, true,
         "PSNR of outputs against the inputs"},
    };
    return kMetrics;
}

const GateMetricInfo& gateMetricInfo(GateMetric metric)
{
    const auto& metrics = gateMetrics();
    const auto found = std::find_if(metrics.begin(), metrics.end(),
                                    [&](const auto& info) { return info.metric == metric; });
    QS_ASSERT(found != metrics.end());
    return *found;
}

bool Gate::holds(double measured) const
{
    switch (relation) {
    case GateRelation::Less:
        return measured < value;
    case GateRelation::AtMost:
        return measured <= value;
    case GateRelation::AtLeast:
        return measured >= value;
    case GateRelation::Greater:
        return measured > value;
    }
    QS_ASSERT(false);
    return false;
}

bool Gate::hasConditions() const
{
    return !device.empty() || !model.empty() || !precision.empty() || batch.has_value();
}

Result<Gate> gateFromText(std::string_view text)
{
    text = trimmed(text);
    if (text.size() > kLongestText)
        return refuse("is longer than " + std::to_string(kLongestText) + " bytes");
    constexpr std::string_view kFor = " for ";
    const std::size_t conditions = text.find(kFor);
    const std::string_view expectation = trimmed(text.substr(0, conditions));
    const std::size_t nameEnd = expectation.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    Gate gate;
    QS_TRY(gate.metric, metricFrom(expectation.substr(0, nameEnd)));
    const std::string_view rest =
        nameEnd == std::string_view::npos ? "" : trimmed(expectation.substr(nameEnd));
    const auto relation = std::find_if(kRelations.begin(), kRelations.end(), [&](const auto& each) {
        return rest.starts_with(each.first);
    });
    if (relation == kRelations.end())
        return refuse("after the name stands >=, <=, > or <, then a number");
    gate.relation = relation->second;
    QS_TRY(gate.value,
           valueFrom(trimmed(rest.substr(relation->first.size())), gateMetricInfo(gate.metric)));
    if (conditions != std::string_view::npos)
        QS_RETURN_IF_ERROR(readConditions(gate, text.substr(conditions + kFor.size())));
    return gate;
}

std::string expectationText(const Gate& gate)
{
    const GateMetricInfo& info = gateMetricInfo(gate.metric);
    return std::string(info.name) + " " + std::string(relationText(gate.relation)) + " " +
           exactText(info.unit, gate.value);
}

std::string conditionsText(const Gate& gate)
{
    std::string text;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            text += (text.empty() ? "" : "; ") + std::string(name) + "=" + value;
    };
    add("device", gate.device);
    add("model", gate.model);
    add("precision", gate.precision);
    add("batch", gate.batch ? std::to_string(*gate.batch) : std::string());
    return text;
}

std::string gateText(const Gate& gate)
{
    return expectationText(gate) + (gate.hasConditions() ? " for " + conditionsText(gate) : "");
}

std::string_view failedRelation(GateRelation relation)
{
    switch (relation) {
    case GateRelation::Less:
        return ">=";
    case GateRelation::AtMost:
        return ">";
    case GateRelation::AtLeast:
        return "<";
    case GateRelation::Greater:
        return "<=";
    }
    QS_ASSERT(false);
    return {};
}

std::string gateValueText(GateMetric metric, double value, int digits)
{
    const Scale& scale = scaleFor(gateMetricInfo(metric).unit, value);
    return withUnit(formatSignificant(scale.show(value), digits), scale);
}

std::vector<Gate> gatesFromJson(const Json& json, const std::string& path,
                                std::vector<JsonIssue>& issues)
{
    std::vector<Gate> gates;
    if (!json.is_array()) {
        issues.push_back({path, std::string("expected a list, found ") + json.type_name()});
        return gates;
    }
    if (json.size() > kMostGates) {
        issues.push_back({path, "has " + std::to_string(json.size()) + " gates; at most " +
                                    std::to_string(kMostGates) + " are possible"});
        return gates;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string place = path + "[" + std::to_string(i) + "]";
        if (!json[i].is_string()) {
            gates.push_back(gateFromObject(json[i], place, issues));
            continue;
        }
        Result<Gate> gate = gateFromText(json[i].get<std::string>());
        if (gate.ok())
            gates.push_back(std::move(gate).value());
        else
            issues.push_back({place, gate.error().message});
    }
    return gates;
}

Json gatesToJson(const std::vector<Gate>& gates)
{
    Json list = Json::array();
    for (const Gate& gate : gates) {
        if (!gate.hasConditions()) {
            list.push_back(expectationText(gate));
            continue;
        }
        Json object{{"expect", expectationText(gate)}};
        if (!gate.device.empty())
            object["device"] = gate.device;
        if (!gate.model.empty())
            object["model"] = gate.model;
        if (!gate.precision.empty())
            object["precision"] = gate.precision;
        if (gate.batch)
            object["batch"] = *gate.batch;
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace qs::core
