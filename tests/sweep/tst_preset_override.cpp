#include "core/sweep/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Preset start()
{
    Preset preset;
    preset.name = "test";
    preset.defaults.model = "demo";
    preset.defaults.precision = {"bf16"};
    preset.axes = {{"precision", {"bf16", "int8dq"}}, {"batch", {"1", "4"}}};
    return preset;
}

Preset changed(const std::string& assignment)
{
    Preset preset = start();
    const Status status = applyOverride(preset, assignment);
    EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message);
    return preset;
}

// The message; checks that nothing was changed.
std::string overrideRefusal(const std::string& assignment, Preset preset = start())
{
    const Json before = toJson(preset);
    const Status status = applyOverride(preset, assignment);
    EXPECT_EQ(toJson(preset), before) << assignment;
    return status.ok() ? "accepted" : status.error().message;
}

TEST(PresetOverride, ReplacesAnAxis)
{
    const Preset preset = changed("batch=1..64 pow2");
    ASSERT_EQ(preset.axes.size(), 2U);
    EXPECT_EQ(preset.axes[1].name, "batch");
    EXPECT_THAT(preset.axes[1].values, ElementsAre("1", "2", "4", "8", "16", "32", "64"));
    EXPECT_THAT(changed("precision=bf16,bf16/int8wo").axes[0].values,
                ElementsAre("bf16", "bf16/int8wo"));
}

TEST(PresetOverride, AddsAnAxis)
{
    const Preset preset = changed("compile=none,cuda-graph");
    ASSERT_EQ(preset.axes.size(), 3U);
    EXPECT_EQ(preset.axes[2].name, "compile");
    EXPECT_THAT(preset.axes[2].values, ElementsAre("none", "cuda-graph"));
    EXPECT_THAT(changed("compile=none,regions:at=b.{0,2}.ffn+c").axes[2].values,
                ElementsAre("none", "regions:at=b.{0,2}.ffn+c"))
        << "commas in braces split nothing";
}

TEST(PresetOverride, OneValueIsForEveryCell)
{
    EXPECT_EQ(changed("device=cuda:0").defaults.device, "cuda:0");
    EXPECT_EQ(changed("seed=0").defaults.seed, 0);
    EXPECT_EQ(changed("model=/models/a,b.safetensors").defaults.model, "/models/a,b.safetensors");
    EXPECT_EQ(changed("layers=regex:fc[1,2] -last1").defaults.layers, "regex:fc[1,2] -last1");
    const Preset preset = changed("batch=8");
    EXPECT_EQ(preset.defaults.batch, 8);
    ASSERT_EQ(preset.axes.size(), 1U);
    EXPECT_EQ(preset.axes[0].name, "precision");
}

TEST(PresetOverride, AJsonListHoldsWhatCommasWouldSplit)
{
    EXPECT_THAT(changed(R"(compile=["none", "regions:rope,norm"])").axes[2].values,
                ElementsAre("none", "regions:rope,norm"));
    EXPECT_THAT(changed(R"(batch=[1, "8..10"])").axes[1].values, ElementsAre("1", "8", "9", "10"));
    EXPECT_THAT(overrideRefusal("batch=[1,"), HasSubstr("not a valid JSON"));
    EXPECT_THAT(overrideRefusal("batch=[]"), HasSubstr("has no values"));
}

TEST(PresetOverride, ChangesSettings)
{
    EXPECT_EQ(changed("rounds=3").rounds, 3);
    EXPECT_EQ(changed("order_seed=5").orderSeed, 5);
    EXPECT_EQ(changed("mode=one-at-a-time").mode, SweepMode::OneAtATime);
    EXPECT_EQ(changed("isolation=model").isolation, Isolation::Model);
    EXPECT_EQ(changed("name=2").name, "2");
    EXPECT_EQ(changed("speed_baseline=bf16-eager").speedBaseline, "bf16-eager");
    EXPECT_FALSE(changed("noise_floor=false").noiseFloor);
    EXPECT_FALSE(changed("default_cell=false").appendDefault);
    EXPECT_EQ(changed("measurement.minimum_samples=3").measurement.minimumSamples, 3);
    EXPECT_EQ(changed("measurement.maximum_relative_noise=0.02").measurement.maximumRelativeNoise,
              0.02);
    EXPECT_EQ(changed("measurement.energy_seconds=10").measurement.energySeconds, 10.0);
    EXPECT_EQ(changed("measurement.phase_limit_seconds.load=60")
                  .measurement.phaseLimitSeconds.at(Phase::Load),
              60.0);
    EXPECT_EQ(changed("measurement.phase_limit_seconds.outputs=5")
                  .measurement.phaseLimitSeconds.at(Phase::Outputs),
              5.0);
    EXPECT_EQ(changed("pictures.source=/pictures/a=b").pictures.source, "/pictures/a=b");
    EXPECT_EQ(changed("pictures.count=4").pictures.count, 4);
    EXPECT_EQ(changed("defaults.batch=2").defaults.batch, 2);
    EXPECT_EQ(changed("price=2.5:USD").price, (Price{2.5, "USD"}));
    EXPECT_TRUE(changed("price=").price.empty());
}

TEST(PresetOverride, RefusesAndChangesNothing)
{
    EXPECT_EQ(overrideRefusal("batch"),
              "\"batch\": expected name=value, such as batch=1,4,16 or rounds=3");
    EXPECT_THAT(overrideRefusal("=3"), HasSubstr("expected name=value"));
    EXPECT_THAT(overrideRefusal("batch="), HasSubstr("at least one number"));
    EXPECT_THAT(overrideRefusal("batch=0"), HasSubstr("$.axes.batch: expected an integer from 1"));
    EXPECT_THAT(overrideRefusal("precision=bf16,"), HasSubstr("$.axes.precision[1]: is empty"));
    EXPECT_THAT(overrideRefusal("round=3"), HasSubstr("no such axis or setting"));
    EXPECT_THAT(overrideRefusal("measurement=3"), HasSubstr("no such axis or setting"));
    EXPECT_THAT(overrideRefusal("measurement.samples=3"), HasSubstr("no such axis or setting"));
    EXPECT_THAT(overrideRefusal("price=2.5"), HasSubstr("is not a price per hour"));
    EXPECT_THAT(overrideRefusal("rounds.x=3"), HasSubstr("no such axis or setting"));
    EXPECT_THAT(overrideRefusal("rounds=three"), HasSubstr("not a valid JSON"));
    EXPECT_THAT(overrideRefusal("rounds=0"), HasSubstr("$.rounds: expected"));
    EXPECT_THAT(overrideRefusal("noise_floor=1"), HasSubstr("expected true or false"));
    EXPECT_THAT(overrideRefusal("mode=random"), HasSubstr("$.mode: expected one of cross"));
    EXPECT_THAT(overrideRefusal("schema_version=2"),
                HasSubstr("is 2, but this program reads version 1"));
    EXPECT_THAT(overrideRefusal("measurement.phase_limit_seconds.sleep=60"),
                HasSubstr("is not a known member"));
    EXPECT_THAT(overrideRefusal("measurement.phase_limit_seconds.quantize=0"),
                HasSubstr("$.measurement.phase_limit_seconds.quantize: "));
    EXPECT_THAT(overrideRefusal("measurement.phase_limit_seconds.load.x=60"),
                HasSubstr("no such axis or setting"));
}

TEST(PresetOverride, LinkedAxesKeepTheirNumberOfValues)
{
    Preset preset = start();
    preset.axes = {{"model", {"a", "b"}}, {"image_size", {"256", "512"}}};
    preset.linked = {{"model", "image_size"}};
    EXPECT_THAT(overrideRefusal("image_size=256", preset), HasSubstr("need equally many"));
    EXPECT_THAT(overrideRefusal("image_size=1..3", preset), HasSubstr("need equally many"));
    ASSERT_TRUE(applyOverride(preset, "image_size=128,64").ok());
    EXPECT_THAT(preset.axes[1].values, ElementsAre("128", "64"));
}

TEST(PresetOverride, LinkedAxesChangeTogether)
{
    Preset preset = start();
    preset.axes = {{"model", {"a", "b"}}, {"image_size", {"256", "512"}}};
    preset.linked = {{"model", "image_size"}};
    const Json before = toJson(preset);
    EXPECT_FALSE(applyOverrides(preset, {"model=c", "image_size=64,128,256"}).ok());
    EXPECT_EQ(toJson(preset), before);
    ASSERT_TRUE(applyOverrides(preset, {"model=c", "image_size=64"}).ok());
    EXPECT_THAT(preset.axes[0].values, ElementsAre("c"));
    EXPECT_THAT(preset.axes[1].values, ElementsAre("64"));
}

}  // namespace
}  // namespace qs::core
