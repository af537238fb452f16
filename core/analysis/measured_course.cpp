#include "core/analysis/measured_course.h"

#include "core/device/clock_reasons.h"
#include "core/measure/throttling.h"

#include <algorithm>

namespace qs::core {

namespace {

void addPhases(const CellResult& result, MeasuredCourse& course)
{
    for (const PhaseTime& each : result.phases) {
        course.phases.push_back(
            {each.phase, each.start, each.seconds, isPartOfCompile(each.phase)});
        course.seconds = std::max(course.seconds, each.start + each.seconds);
    }
    std::stable_sort(course.phases.begin(), course.phases.end(),
                     [](const CoursePhase& a, const CoursePhase& b) {
                         return a.start != b.start ? a.start < b.start : !a.nested && b.nested;
                     });
}

double warmupEnd(const CellResult& result)
{
    const PhaseTime* phase = result.phase(Phase::Warmup);
    if (phase != nullptr)
        return phase->start + phase->seconds;
    return result.sampleStart.front();
}

void addWarmup(const CellResult& result, MeasuredCourse& course)
{
    const std::vector<double>& passes = result.warmupSeconds;
    const double block = std::max(1, result.passesPerSample);
    double at = warmupEnd(result);
    for (const double seconds : passes)
        at -= seconds * block;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        course.passes.push_back(
            {.kind = PassKind::WarmUp, .index = i, .at = at, .seconds = passes[i]});
        at += passes[i] * block;
    }
}

void addSamples(const CellResult& result, MeasuredCourse& course)
{
    const std::vector<double>& samples = allSamples(result);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        CoursePass pass{.kind = PassKind::Counted,
                        .index = i,
                        .at = result.sampleStart[i],
                        .seconds = samples[i]};
        for (const Discard& discard : result.discards) {
            if (discard.sample != i)
                continue;
            pass.kind = PassKind::Discarded;
            pass.discard = discard;
        }
        course.passes.push_back(std::move(pass));
    }
}

void addSlowdowns(const DeviceTrace& trace, MeasuredCourse& course)
{
    const std::vector<DevicePoint>& points = trace.points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<std::string> reasons = slowdownReasons(points[i].slowdownBits.value_or(0));
        if (reasons.empty())
            continue;
        // What was seen at a point is taken to last until the next.
        const double to = i + 1 < points.size() ? points[i + 1].at : points[i].at;
        std::vector<SlowdownBand>& bands = course.slowdowns;
        if (!bands.empty() && bands.back().to == points[i].at && bands.back().reasons == reasons)
            bands.back().to = to;
        else
            bands.push_back({points[i].at, to, std::move(reasons)});
    }
}

void addCapped(const DeviceTrace& trace, MeasuredCourse& course)
{
    for (std::size_t i = 1; i < trace.points.size(); ++i) {
        const DevicePoint& before = trace.points[i - 1];
        const DevicePoint& point = trace.points[i];
        const double seconds = point.at - before.at;
        const auto percent = [&](std::optional<double> DevicePoint::*counter) {
            const bool tells = before.*counter && point.*counter && seconds > 0.0;
            return tells ? std::optional(std::clamp(
                               100.0 * (*(point.*counter) - *(before.*counter)) / seconds, 0.0,
                               100.0))
                         : std::nullopt;
        };
        const CappedStretch stretch{before.at, point.at, percent(&DevicePoint::powerCappedSeconds),
                                    percent(&DevicePoint::thermalCappedSeconds)};
        if (stretch.power || stretch.thermal)
            course.capped.push_back(stretch);
    }
}

void addClock(const CellResult& result, MeasuredCourse& course)
{
    for (const auto& clock : sampleClocks(result)) {
        if (!clock)
            continue;
        if (!course.clock)
            course.clock = Interval{*clock, *clock};
        course.clock->lower = std::min(course.clock->lower, *clock);
        course.clock->upper = std::max(course.clock->upper, *clock);
    }
}

}  // namespace

const std::vector<double>& allSamples(const CellResult& result)
{
    return result.deviceSeconds.empty() ? result.hostSeconds : result.deviceSeconds;
}

MeasuredCourse courseOf(const CellResult& result)
{
    MeasuredCourse course;
    addPhases(result, course);
    course.sampling = result.sampling();
    if (!course.sampling || allSamples(result).size() != result.sampleStart.size())
        return course;
    addWarmup(result, course);
    addSamples(result, course);
    addSlowdowns(result.trace, course);
    addCapped(result.trace, course);
    addClock(result, course);
    course.span = Interval{course.passes.front().at, course.sampling->upper};
    return course;
}

}  // namespace qs::core
