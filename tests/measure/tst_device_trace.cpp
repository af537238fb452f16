#include "core/measure/cell_result.h"
#include "core/measure/device_trace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace qs::core;

namespace {

// Clock 1000, 1200, (does not tell), 1800 MHz at 1, 2, 3, 4 s; 300 J/s.
DeviceTrace ramp()
{
    DeviceTrace trace;
    trace.points = {{.at = 1.0, .smClockMegahertz = 1000.0, .energyJoules = 300.0},
                    {.at = 2.0, .smClockMegahertz = 1200.0, .energyJoules = 600.0},
                    {.at = 3.0, .temperatureCelsius = 61.0, .energyJoules = 900.0},
                    {.at = 4.0, .smClockMegahertz = 1800.0, .energyJoules = 1200.0}};
    return trace;
}

std::string complaintsAbout(const Json& json)
{
    std::vector<JsonIssue> issues;
    static_cast<void>(deviceTraceFromJson(json, "$", issues));
    return formatIssues(issues);
}

std::optional<double> clockAt(const DeviceTrace& trace, double at)
{
    return clocksAt(trace, {at}).front();
}

}  // namespace

TEST(DeviceTrace, clockIsInterpolatedBetweenPointsThatTell)
{
    const DeviceTrace trace = ramp();
    EXPECT_DOUBLE_EQ(clockAt(trace, 1.0).value(), 1000.0);
    EXPECT_DOUBLE_EQ(clockAt(trace, 1.5).value(), 1100.0);
    EXPECT_DOUBLE_EQ(clockAt(trace, 3.0).value(), 1500.0);
    EXPECT_DOUBLE_EQ(clockAt(trace, 4.0).value(), 1800.0);
}

TEST(DeviceTrace, nothingIsKnownFarBeyondTheEnds)
{
    const DeviceTrace trace = ramp();
    EXPECT_DOUBLE_EQ(clockAt(trace, 0.6).value(), 1000.0);
    EXPECT_FALSE(clockAt(trace, 0.4).has_value());
    EXPECT_DOUBLE_EQ(clockAt(trace, 4.5).value(), 1800.0);
    EXPECT_FALSE(clockAt(trace, 4.6).has_value());
    EXPECT_FALSE(clockAt(DeviceTrace(), 1.0).has_value());
}

TEST(DeviceTrace, energyIsTheDifferenceOfTheCounter)
{
    const auto use = energyBetween(ramp(), 1.5, 3.5);
    ASSERT_TRUE(use.has_value());
    EXPECT_DOUBLE_EQ(use->joules, 600.0);
    EXPECT_DOUBLE_EQ(use->seconds, 2.0);
    EXPECT_DOUBLE_EQ(use->uncertainty(), 0.05);
}

TEST(DeviceTrace, energyNeedsTheCounterOnBothSides)
{
    EXPECT_FALSE(energyBetween(ramp(), 0.5, 3.0).has_value());
    EXPECT_FALSE(energyBetween(ramp(), 3.0, 4.5).has_value());
    EXPECT_FALSE(energyBetween(ramp(), 3.0, 3.0).has_value());
    EXPECT_FALSE(energyBetween(DeviceTrace(), 1.0, 2.0).has_value());
    DeviceTrace still = ramp();
    for (DevicePoint& point : still.points)
        point.energyJoules = 5.0;
    EXPECT_FALSE(energyBetween(still, 1.0, 4.0).has_value());
}

TEST(DeviceTrace, cappedIsTheRiseOfTheCounterOverTheTime)
{
    DeviceTrace trace = ramp();
    // Held down all the time from 2 s to 3 s, and half of it from 3 s to 4 s.
    const double capped[] = {0.0, 0.0, 1.0, 1.5};
    for (std::size_t i = 0; i < 4; ++i)
        trace.points[i].powerCappedSeconds = capped[i];
    const auto power = [&](double from, double to) {
        return cappedShare(trace, &DevicePoint::powerCappedSeconds, from, to);
    };
    EXPECT_DOUBLE_EQ(power(1.0, 2.0).value(), 0.0);
    EXPECT_DOUBLE_EQ(power(2.0, 3.0).value(), 1.0);
    EXPECT_DOUBLE_EQ(power(2.5, 3.5).value(), 0.75);
    EXPECT_DOUBLE_EQ(power(1.0, 4.0).value(), 0.5);
    EXPECT_FALSE(power(0.5, 2.0)) << "not read before";
    EXPECT_FALSE(power(3.0, 4.5)) << "not read after";
    EXPECT_FALSE(power(3.0, 3.0));
    EXPECT_FALSE(cappedShare(trace, &DevicePoint::thermalCappedSeconds, 2.0, 3.0));
    // A counter that is a moment ahead of its time is no more than all of the time.
    trace.points[2].powerCappedSeconds = 1.001;
    EXPECT_DOUBLE_EQ(power(2.0, 3.0).value(), 1.0);
}

TEST(DeviceTrace, hottestLooksInsideTheStretchAlone)
{
    EXPECT_DOUBLE_EQ(hottest(ramp(), 2.5, 3.5).value(), 61.0);
    EXPECT_FALSE(hottest(ramp(), 3.5, 4.5).has_value());
}

TEST(DeviceTrace, survivesItsJson)
{
    DeviceTrace trace = ramp();
    trace.points[1].slowdownBits = 4;
    trace.points[2].processBytes = 1'234'567'890'123;
    trace.maximumClockMegahertz = 1980.0;
    trace.leftOverBytes = 42;
    trace.points[2].powerCappedSeconds = 0.25;
    trace.points[3].thermalCappedSeconds = 0.125;
    trace.foreignProcesses = {{"python3", 812, 1'200'000'000}, {"", 813, 0}};
    trace.powerCappedSeconds = 0.25;
    std::vector<JsonIssue> issues;
    EXPECT_EQ(deviceTraceFromJson(toJson(trace), "$", issues), trace);
    EXPECT_TRUE(issues.empty()) << formatIssues(issues);
    EXPECT_EQ(toJson(DeviceTrace()), Json::object());
}

TEST(DeviceTrace, whatIsTheSameAtAllPointsIsOneNumber)
{
    DeviceTrace trace = ramp();
    for (DevicePoint& point : trace.points) {
        point.smClockMegahertz = 1980.0;
        point.slowdownBits = 0;
        point.energyJoules = std::nullopt;
        point.processBytes = 1'234'567'890'123;
    }
    const Json json = toJson(trace);
    EXPECT_EQ(json.at("sm_clock_mhz"), 1980.0);
    EXPECT_EQ(json.at("slowdown_bits"), 0);
    EXPECT_FALSE(json.contains("energy_j"));
    EXPECT_TRUE(json.at("temperature_c").is_array());
    std::vector<JsonIssue> issues;
    EXPECT_EQ(deviceTraceFromJson(json, "$", issues), trace);
    EXPECT_TRUE(issues.empty()) << formatIssues(issues);
}

TEST(DeviceTrace, damagedJsonIsNamed)
{
    EXPECT_NE(complaintsAbout(Json::array()), "");
    EXPECT_NE(complaintsAbout({{"at_s", {2.0, 1.0}}}).find("ascending"), std::string::npos);
    EXPECT_NE(complaintsAbout({{"at_s", {1.0}}, {"power_w", {1.0, 2.0}}}).find("power_w"),
              std::string::npos);
    EXPECT_NE(complaintsAbout({{"at_s", {1.0}}, {"power_w", {-1.0}}}).find("power_w"),
              std::string::npos);
    for (const Json& column : {Json(-1.0), Json("4"), Json(), Json::object()})
        EXPECT_NE(complaintsAbout({{"at_s", {1.0, 2.0}}, {"power_w", column}}).find("power_w"),
                  std::string::npos)
            << column.dump();
    EXPECT_NE(complaintsAbout({{"at_s", {1.0}}, {"power_capped_until_s", {"0"}}})
                  .find("power_capped_until_s"),
              std::string::npos);
    EXPECT_NE(complaintsAbout({{"at_s", {"soon"}}}).find("at_s"), std::string::npos);
    EXPECT_NE(complaintsAbout({{"left_over_bytes", -1}}).find("left_over_bytes"),
              std::string::npos);
    for (const Json& processes :
         {Json("python3"), Json::array({"python3 (pid 812)"}), Json::array({{{"pid", -1}}}),
          Json::array({{{"name", 3}, {"pid", 1}}}), Json::array({{{"pid", 1}, {"user", "x"}}})})
        EXPECT_NE(complaintsAbout({{"foreign_processes", processes}}).find("foreign_processes"),
                  std::string::npos)
            << processes.dump();
    for (const Json& processes :
         {Json("python3"), Json::array({"python3 (pid 812)"}), Json::array({{{"pid", -1}}}),
          Json::array({{{"name", 3}, {"pid", 1}}}), Json::array({{{"pid", 1}, {"user", "x"}}})})
        EXPECT_NE(complaintsAbout({{"foreign_processes", processes}}).find("foreign_processes"),
                  std::string::npos)
            << processes.dump();
    EXPECT_NE(complaintsAbout({{"clock", 1}}).find("clock"), std::string::npos);
}

TEST(CellResult, historySurvivesItsJson)
{
    CellResult result;
    result.phases = {{Phase::Load, 0.5, 0.0}, {Phase::Measure, 1.0, 0.75}};
    result.hostSeconds = {0.1, 0.2, 0.3};
    result.sampleStart = {0.75, 0.85, 1.05};
    result.endToEndSeconds = {0.2, 0.3, 0.4};
    result.copySeconds = {0.02, 0.03, 0.04};
    result.distinctBatches = 4;
    result.warmupSeconds = {0.5, 0.1};
    result.began = 12345.5;
    result.passesPerSample = 3;
    result.conditions = Conditions{CacheState::Cold, true, InputResidency::Pinned};
    result.trace = ramp();
    result.discards = {{1, Slowdown::LowClock, 900.0}, {2, Slowdown::Heat}};
    result.energy = PassStretch{.passes = 412, .start = 1.75, .seconds = 10.02};
    const auto back = cellResultFromJson(toJson(result));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(toJson(back.value()), toJson(result));
    EXPECT_EQ(back.value().discards, result.discards);
    EXPECT_EQ(back.value().trace, result.trace);
    EXPECT_EQ(back.value().conditions, result.conditions);
    EXPECT_EQ(back.value().copySeconds, result.copySeconds);
    EXPECT_EQ(back.value().distinctBatches, 4);
    EXPECT_DOUBLE_EQ(back.value().phase(Phase::Measure)->start, 0.75);
    EXPECT_EQ(back.value().phase(Phase::Compile), nullptr);
}

TEST(CellResult, damagedEnergyIsRefused)
{
    CellResult result;
    EXPECT_FALSE(toJson(result).contains("energy")) << "rows without one stay as they were";
    result.energy = PassStretch{.passes = 1, .start = 0.0, .seconds = 2.0};
    const Json good = toJson(result);
    ASSERT_TRUE(cellResultFromJson(good).ok());
    for (const Json& damaged :
         {Json(10.0), Json::array(), Json::object(), Json{{"passes", 3}, {"start_s", 1.0}},
          Json{{"passes", 0}, {"start_s", 1.0}, {"seconds", 2.0}},
          Json{{"passes", 3}, {"start_s", -1.0}, {"seconds", 2.0}},
          Json{{"passes", 3}, {"start_s", 1.0}, {"seconds", 1e300}},
          Json{{"passes", 3}, {"start_s", 1.0}, {"seconds", 2.0}, {"joules", 5.0}}}) {
        Json json = good;
        json["energy"] = damaged;
        EXPECT_FALSE(cellResultFromJson(json).ok()) << damaged.dump();
    }
}

TEST(CellResult, discardedSamplesDoNotCount)
{
    CellResult result;
    result.hostSeconds = {0.1, 0.2, 0.3, 0.4};
    EXPECT_EQ(result.counted(result.hostSeconds), result.hostSeconds);
    result.discards = {{0, Slowdown::Heat}, {2, Slowdown::Heat}, {9, Slowdown::Heat}};
    EXPECT_EQ(result.counted(result.hostSeconds), (std::vector<double>{0.2, 0.4}))
        << "the last one is beyond the end";
}

TEST(CellResult, discardsOutOfOrderAreRefused)
{
    CellResult result;
    result.discards = {{2, Slowdown::Heat}, {1, Slowdown::Heat}};
    EXPECT_FALSE(cellResultFromJson(toJson(result)).ok());
    result.discards = {{2, Slowdown::Heat}, {2, Slowdown::PowerCap}};
    EXPECT_FALSE(cellResultFromJson(toJson(result)).ok());
}
