#include "core/device/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace qs::core {
namespace {

using testing::HasSubstr;

DeviceDescription example()
{
    DeviceDescription device;
    device.id = "cuda:1";
    device.name = "NVIDIA H200";
    device.kind = DeviceKind::Cuda;
    device.computeMajor = 9;
    device.computeMinor = 0;
    device.memoryBytes = 150'754'820'096;
    device.processors = 132;
    device.uuid = "GPU-12345678";
    device.driver = "580.65.06";
    return device;
}

TEST(DeviceDescriptions, SurviveJson)
{
    DeviceDescription asked = describeCpu();
    asked.exactInt8Products = true;
    asked.exactInt8Convolutions = false;
    asked.compilerLacks = "triton";
    asked.kernelsLack = "libnvrtc.so.13";
    for (const DeviceDescription& device :
         {example(), describeCpu(), asked, commonGpus().front()}) {
        const Json json = parseJson(toJson(device).dump(), "test").value();
        const auto back = deviceFromJson(json);
        ASSERT_TRUE(back.ok()) << back.error().message;
        EXPECT_EQ(back.value().id, device.id);
        EXPECT_EQ(back.value().name, device.name);
        EXPECT_EQ(back.value().kind, device.kind);
        EXPECT_EQ(back.value().computeMajor, device.computeMajor);
        EXPECT_EQ(back.value().computeMinor, device.computeMinor);
        EXPECT_EQ(back.value().memoryBytes, device.memoryBytes);
        EXPECT_EQ(back.value().processors, device.processors);
        EXPECT_EQ(back.value().uuid, device.uuid);
        EXPECT_EQ(back.value().driver, device.driver);
        EXPECT_EQ(back.value().compilerLacks, device.compilerLacks);
        EXPECT_EQ(back.value().kernelsLack, device.kernelsLack);
        EXPECT_EQ(back.value().exactInt8Products, device.exactInt8Products);
        EXPECT_EQ(back.value().exactInt8Convolutions, device.exactInt8Convolutions);
        EXPECT_EQ(canonicalText(toJson(back.value())), canonicalText(json));
    }
}

TEST(DeviceDescriptions, NeedAnIdAndAKindAlone)
{
    const auto device = deviceFromJson(Json{{"id", "cpu"}, {"kind", "cpu"}});
    ASSERT_TRUE(device.ok()) << device.error().message;
    EXPECT_EQ(device.value().memoryBytes, 0);
    EXPECT_EQ(device.value().kind, DeviceKind::Cpu);
}

struct RefusalCase {
    const char* member;
    Json value;
    const char* complaint;
};

TEST(DeviceDescriptions, DamagedOnesAreRefusedWithThePlace)
{
    const RefusalCase cases[] = {
        {"kind", "tpu", "$device.kind: expected cpu or cuda"},
        {"kind", 1, "$device.kind"},
        {"id", "", "$device.id: must name a device"},
        {"id", nullptr, "$device.id"},
        {"memory_bytes", -1, "$device.memory_bytes"},
        {"memory_bytes", 1e300, "$device.memory_bytes"},
        {"processors", 1'000'001, "$device.processors"},
        {"processors", "132", "$device.processors"},
        {"compute_major", 100, "$device.compute_major"},
        {"compute_minor", -1, "$device.compute_minor"},
        {"surprise", 1, "$device.surprise: is not a known member"},
    };
    for (const RefusalCase& each : cases) {
        Json json = toJson(example());
        json[each.member] = each.value;
        const auto device = deviceFromJson(json);
        ASSERT_FALSE(device.ok()) << each.member;
        EXPECT_EQ(device.error().code, ErrorCode::Format);
        EXPECT_THAT(device.error().message, HasSubstr(each.complaint));
    }
}

TEST(DeviceDescriptions, OtherValuesAreRefused)
{
    for (const Json& json : {Json(), Json::array(), Json("cpu"), Json(1), Json::object()})
        EXPECT_FALSE(deviceFromJson(json).ok()) << json.dump();
    Json withoutKind = toJson(example());
    withoutKind.erase("kind");
    EXPECT_FALSE(deviceFromJson(withoutKind).ok()) << "a CPU by mistake would hide a GPU";
}

TEST(DeviceDescriptions, CompareComputeCapabilities)
{
    DeviceDescription device;
    device.computeMajor = 8;
    device.computeMinor = 6;
    EXPECT_TRUE(device.atLeast(8, 6));
    EXPECT_TRUE(device.atLeast(8, 0));
    EXPECT_TRUE(device.atLeast(7, 9));
    EXPECT_FALSE(device.atLeast(8, 9));
    EXPECT_FALSE(device.atLeast(9, 0));
}

TEST(ThisComputer, HasAProcessorAndMemory)
{
    const DeviceDescription cpu = describeCpu();
    EXPECT_EQ(cpu.id, "cpu");
    EXPECT_EQ(cpu.kind, DeviceKind::Cpu);
    EXPECT_FALSE(cpu.name.empty());
    EXPECT_GT(cpu.processors, 0);
    // A misread unit would be off by 1024.
    EXPECT_GT(cpu.memoryBytes, std::int64_t{256} << 20U);
    EXPECT_LT(cpu.memoryBytes, std::int64_t{1} << 46U);
    EXPECT_FALSE(cpu.atLeast(1, 0)) << "no CUDA capability";
}

TEST(CommonGpus, CanBePlannedFor)
{
    std::set<std::string> names;
    for (const DeviceDescription& gpu : commonGpus()) {
        EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
        EXPECT_EQ(gpu.id, "cuda:0");
        EXPECT_EQ(gpu.kind, DeviceKind::Cuda);
        EXPECT_GE(gpu.computeMajor, 7);
        EXPECT_GT(gpu.memoryBytes, std::int64_t{16} << 30U);
        EXPECT_GT(gpu.processors, 0);
    }
    for (const char* name : {"H200", "H100 SXM", "B200", "A100 80GB", "L40S", "L4", "RTX 5090",
                             "RTX 4090", "RTX 3090"})
        EXPECT_TRUE(names.contains(std::string("NVIDIA ") + name)) << name;
    // Scaled float8 products came with 8.9.
    for (const DeviceDescription& gpu : commonGpus()) {
        const bool before = gpu.name == "NVIDIA A100 80GB" || gpu.name == "NVIDIA RTX 3090" ||
                            gpu.name == "NVIDIA V100";
        EXPECT_EQ(gpu.atLeast(8, 9), !before) << gpu.name;
    }
}

}  // namespace
}  // namespace qs::core
