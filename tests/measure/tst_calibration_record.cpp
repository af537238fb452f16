#include "core/measure/calibration_record.h"

#include "core/measure/cell_result.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

CellResult example()
{
    CellResult result;
    result.calibration = {
        {.stage = "encoder",
         .content = "ab12",
         .set = "generated",
         .samples = 32,
         .seed = 7,
         .seconds = 1.25,
         .fromCache = true,
         .layers = {{"blocks.0.fc1", 0.5, 3, false}, {"blocks.0.fc2", 0.0, 0, true}}},
        StageCalibration()};
    result.calibration[1].set = "inputs";
    return result;
}

TEST(CalibrationRecord, ReadsBackEqual)
{
    const auto back = cellResultFromJson(parseJson(toJson(example()).dump(), "t").value());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back.value().calibration, example().calibration);
    EXPECT_FALSE(toJson(CellResult()).contains("calibration")) << "most rows have none";
}

TEST(CalibrationRecord, DamagedOnesAreRefused)
{
    for (const auto& [member, value] : {std::pair<const char*, Json>{"samples", -1},
                                        {"seconds", "long"},
                                        {"from_cache", 1},
                                        {"layers", Json::object()},
                                        {"layers", Json::array({Json{{"loss", -1.0}}})},
                                        {"surprise", 1}}) {
        Json json = toJson(example());
        json["calibration"][0][member] = value;
        EXPECT_FALSE(cellResultFromJson(json).ok()) << member;
    }
}

}  // namespace
}  // namespace qs::core
