#include "core/measure/device_trace.h"

#include "core/base/json_list.h"
#include "core/measure/nanoseconds.h"
#include "core/measure/record_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr std::size_t kMostPoints = 1'000'000;
constexpr double kLargestNumber = 9007199254740992.0;  // 2^53: whole numbers stay exact

// Two points and how far `at` lies between them; both are the same beyond the ends.
struct Neighbours {
    const DevicePoint* before = nullptr;
    const DevicePoint* after = nullptr;
    double share = 0.0;
};

template <typename Value>
std::vector<const DevicePoint*> pointsThatTell(const DeviceTrace& trace,
                                               std::optional<Value> DevicePoint::*member)
{
    std::vector<const DevicePoint*> points;
    for (const DevicePoint& point : trace.points) {
        if (point.*member)
            points.push_back(&point);
    }
    return points;
}

std::optional<Neighbours> neighbours(const std::vector<const DevicePoint*>& points, double at)
{
    if (points.empty())
        return std::nullopt;
    const auto after =
        std::lower_bound(points.begin(), points.end(), at,
                         [](const DevicePoint* point, double time) { return point->at < time; });
    if (after == points.begin() || after == points.end()) {
        const DevicePoint* nearest = after == points.end() ? points.back() : points.front();
        if (std::abs(nearest->at - at) > kTraceReach)
            return std::nullopt;
        return Neighbours{nearest, nearest, 0.0};
    }
    const DevicePoint* before = *(after - 1);
    const double width = (*after)->at - before->at;
    return Neighbours{before, *after, width > 0.0 ? (at - before->at) / width : 0.0};
}

double between(double before, double after, double share)
{
    return before + (after - before) * share;
}

// By how much a counter rose; nothing if it was not read on both sides of the stretch.
std::optional<double> risenBetween(const DeviceTrace& trace,
                                   std::optional<double> DevicePoint::*counter, double from,
                                   double to)
{
    const auto points = pointsThatTell(trace, counter);
    if (points.empty() || !(from < to) || points.front()->at > from || points.back()->at < to)
        return std::nullopt;
    const auto valueAt = [&](double at) {
        const Neighbours found = neighbours(points, at).value();
        return between(*(found.before->*counter), *(found.after->*counter), found.share);
    };
    return valueAt(to) - valueAt(from);
}

// One JSON list per member, in which null stands for "does not tell"; none if no point tells. What
// is the same at all points is one number: most clocks stand still and most counters at 0.
template <typename Value>
void addColumn(Json& json, const char* name, const std::vector<DevicePoint>& points,
               std::optional<Value> DevicePoint::*member)
{
    if (points.empty())
        return;
    const std::optional<Value>& first = points.front().*member;
    if (std::all_of(points.begin(), points.end(),
                    [&](const DevicePoint& point) { return point.*member == first; })) {
        if (first)
            json[name] = *first;
        return;
    }
    Json column = Json::array();
    for (const DevicePoint& point : points)
        column.push_back(point.*member ? Json(*(point.*member)) : Json());
    json[name] = std::move(column);
}

template <typename Value>
void readColumn(JsonFields& fields, const char* name, std::vector<DevicePoint>& points,
                std::optional<Value> DevicePoint::*member)
{
    const JsonView* column = fields.member(name);
    if (column == nullptr)
        return;
    const auto valueOf = [](const JsonView& each) {
        const auto number = each.number();
        const bool isValid = number && *number >= 0.0 && *number <= kLargestNumber;
        return isValid ? std::optional(static_cast<Value>(*number)) : std::nullopt;
    };
    if (const auto everywhere = valueOf(*column)) {
        for (DevicePoint& point : points)
            point.*member = everywhere;
        return;
    }
    if (!column->isList() || column->size() != points.size()) {
        fields.complain(name, "expected a list as long as \"at_s\", or a number of at least 0");
        return;
    }
    auto point = points.begin();
    bool isValid = true;
    column->forEachItem([&](const JsonView& each) {
        (*point).*member = valueOf(each);
        isValid = isValid && ((*point).*member || each.isNull());
        ++point;
    });
    if (!isValid)
        fields.complain(name, "expected numbers of at least 0, or null");
}

void readTimes(JsonFields& fields, std::vector<DevicePoint>& points)
{
    const JsonView* times = fields.member("at_s");
    if (times == nullptr)
        return;
    if (!times->isList() || times->size() > kMostPoints) {
        fields.complain("at_s", "expected a list of seconds");
        return;
    }
    points.reserve(times->size());
    bool isValid = true;
    times->forEachItem([&](const JsonView& each) {
        const auto time = each.number();
        isValid = isValid && time && std::abs(*time) <= kLongestSeconds &&
                  (points.empty() || points.back().at <= *time);
        if (isValid)
            points.push_back({.at = *time});
    });
    if (!isValid) {
        fields.complain("at_s", "expected ascending seconds");
        points.clear();
    }
}

std::optional<double> optionalFigure(JsonFields& fields, const char* name)
{
    if (!fields.has(name))
        return std::nullopt;
    return fields.number(name, 0.0, 0.0, kLargestNumber);
}

}  // namespace

std::vector<std::optional<double>> clocksAt(const DeviceTrace& trace,
                                            const std::vector<double>& moments)
{
    const auto points = pointsThatTell(trace, &DevicePoint::smClockMegahertz);
    std::vector<std::optional<double>> clocks;
    for (const double at : moments) {
        clocks.emplace_back();
        if (const auto found = neighbours(points, at))
            clocks.back() = between(*found->before->smClockMegahertz,
                                    *found->after->smClockMegahertz, found->share);
    }
    return clocks;
}

double EnergyUse::uncertainty() const
{
    return seconds > 0.0 ? kEnergyStep / seconds : 1.0;
}

std::optional<EnergyUse> energyBetween(const DeviceTrace& trace, double from, double to)
{
    const auto joules = risenBetween(trace, &DevicePoint::energyJoules, from, to);
    return joules && *joules > 0.0 ? std::optional(EnergyUse{*joules, to - from}) : std::nullopt;
}

std::optional<double> cappedShare(const DeviceTrace& trace,
                                  std::optional<double> DevicePoint::*counter, double from,
                                  double to)
{
    const auto seconds = risenBetween(trace, counter, from, to);
    // Readings of time and counter are a moment apart.
    return seconds ? std::optional(std::clamp(*seconds / (to - from), 0.0, 1.0)) : std::nullopt;
}

std::optional<double> hottest(const DeviceTrace& trace, double from, double to)
{
    std::optional<double> highest;
    for (const DevicePoint& point : trace.points) {
        if (point.at >= from && point.at <= to && point.temperatureCelsius)
            highest = std::max(highest, point.temperatureCelsius);
    }
    return highest;
}

Json toJson(const std::vector<ForeignProcess>& processes)
{
    Json list = Json::array();
    for (const ForeignProcess& each : processes)
        list.push_back({{"name", each.name}, {"pid", each.pid}, {"bytes", each.bytes}});
    return list;
}

std::vector<ForeignProcess> foreignProcessesFromJson(JsonFields& parent, std::string_view name,
                                                     std::vector<JsonIssue>& issues)
{
    std::vector<ForeignProcess> processes;
    forEachObject(parent, name, issues, processes, [&](JsonFields& each) {
        processes.push_back({each.text("name"), each.integer("pid", 0, 0, INT64_MAX),
                             each.integer("bytes", 0, 0, INT64_MAX)});
    });
    return processes;
}

Json toJson(const DeviceTrace& trace)
{
    Json json = Json::object();
    Json times = Json::array();
    for (const DevicePoint& point : trace.points)
        times.push_back(wholeMicroseconds(point.at));
    if (!times.empty())
        json["at_s"] = std::move(times);
    addColumn(json, "sm_clock_mhz", trace.points, &DevicePoint::smClockMegahertz);
    addColumn(json, "power_w", trace.points, &DevicePoint::powerWatts);
    addColumn(json, "temperature_c", trace.points, &DevicePoint::temperatureCelsius);
    addColumn(json, "energy_j", trace.points, &DevicePoint::energyJoules);
    addColumn(json, "process_bytes", trace.points, &DevicePoint::processBytes);
    addColumn(json, "slowdown_bits", trace.points, &DevicePoint::slowdownBits);
    addColumn(json, "power_capped_until_s", trace.points, &DevicePoint::powerCappedSeconds);
    addColumn(json, "thermal_capped_until_s", trace.points, &DevicePoint::thermalCappedSeconds);
    for (const auto& [name, value] : {std::pair{"maximum_clock_mhz", trace.maximumClockMegahertz},
                                      std::pair{"power_capped_s", trace.powerCappedSeconds},
                                      std::pair{"thermal_capped_s", trace.thermalCappedSeconds}}) {
        if (value)
            json[name] = *value;
    }
    if (trace.leftOverBytes)
        json["left_over_bytes"] = *trace.leftOverBytes;
    if (!trace.foreignProcesses.empty())
        json["foreign_processes"] = toJson(trace.foreignProcesses);
    return json;
}

DeviceTrace deviceTraceFromJson(const JsonView& json, const std::string& path,
                                std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    DeviceTrace trace;
    readTimes(fields, trace.points);
    readColumn(fields, "sm_clock_mhz", trace.points, &DevicePoint::smClockMegahertz);
    readColumn(fields, "power_w", trace.points, &DevicePoint::powerWatts);
    readColumn(fields, "temperature_c", trace.points, &DevicePoint::temperatureCelsius);
    readColumn(fields, "energy_j", trace.points, &DevicePoint::energyJoules);
    readColumn(fields, "process_bytes", trace.points, &DevicePoint::processBytes);
    readColumn(fields, "slowdown_bits", trace.points, &DevicePoint::slowdownBits);
    readColumn(fields, "power_capped_until_s", trace.points, &DevicePoint::powerCappedSeconds);
    readColumn(fields, "thermal_capped_until_s", trace.points, &DevicePoint::thermalCappedSeconds);
    trace.maximumClockMegahertz = optionalFigure(fields, "maximum_clock_mhz");
    trace.powerCappedSeconds = optionalFigure(fields, "power_capped_s");
    trace.thermalCappedSeconds = optionalFigure(fields, "thermal_capped_s");
    if (fields.has("left_over_bytes"))
        trace.leftOverBytes = fields.integer("left_over_bytes", 0, 0, INT64_MAX);
    trace.foreignProcesses = foreignProcessesFromJson(fields, "foreign_processes", issues);
    fields.finish();
    return trace;
}

}  // namespace qs::core
