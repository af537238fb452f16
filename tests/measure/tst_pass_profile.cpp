#include "core/measure/pass_profile.h"

#include "core/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

constexpr double kTiny = 1e-12;

// Two passes: products of 2 s that overlap with copies of 1 s for half a second, then a gap of 1 s.
std::vector<KernelEvent> twoPasses()
{
    std::vector<KernelEvent> events;
    for (const double start : {10.0, 14.0}) {
        events.push_back({"gemm", WorkKind::Product, start, 2.0});
        events.push_back({"copy", WorkKind::Copy, start + 1.5, 1.0});
        events.push_back({"norm", WorkKind::Elementwise, start + 3.5, 0.5});
    }
    return events;
}

TEST(PassProfile, DividesTheTimeOfAPass)
{
    const PassProfile profile = profileOf(twoPasses(), 2);
    EXPECT_NEAR(profile.passSeconds, 4.0, kTiny);
    EXPECT_NEAR(profile.busySeconds, 3.0, kTiny);
    EXPECT_NEAR(profile.launches, 3.0, kTiny);
    ASSERT_EQ(profile.kernels.size(), 3U);
    EXPECT_EQ(profile.kernels[0].name, "gemm");
    EXPECT_NEAR(profile.kernels[0].calls, 1.0, kTiny);
    EXPECT_NEAR(profile.seconds(WorkKind::Product), 2.0, kTiny);
    EXPECT_NEAR(profile.seconds(WorkKind::Copy), 0.5, kTiny);
    double sum = 0.0;
    for (const WorkKind kind : kWorkKinds.values())
        sum += profile.seconds(kind);
    EXPECT_NEAR(sum, profile.busySeconds, kTiny);
}

TEST(PassProfile, HasWholeNumbersOfCallsWhereAllPassesAreAlike)
{
    constexpr int kPasses = 7;
    constexpr int kCalls = 32;
    std::vector<KernelEvent> events;
    for (int i = 0; i < kPasses * kCalls; ++i)
        events.push_back({"gemm", WorkKind::Product, double(i), 0.5});
    const PassProfile profile = profileOf(events, kPasses);
    ASSERT_EQ(profile.kernels.size(), 1U);
    EXPECT_EQ(profile.kernels[0].calls, double(kCalls));
}

TEST(PassProfile, OfNothingIsEmpty)
{
    const PassProfile profile = profileOf({}, 3);
    EXPECT_EQ(profile, PassProfile());
}

TEST(PassProfile, KeepsTheLongestKernelsAndTheTimeOfAll)
{
    std::vector<KernelEvent> events;
    for (int i = 0; i < 100; ++i)
        events.push_back({"kernel " + std::to_string(i),
                          i % 2 == 0 ? WorkKind::Product : WorkKind::Copy, double(i), 0.001 * i});
    const PassProfile profile = profileOf(events, 1);
    EXPECT_EQ(profile.kernels.size(), PassProfile::kMostKernels);
    EXPECT_EQ(profile.kernels.front().name, "kernel 99");
    EXPECT_NEAR(profile.seconds(WorkKind::Product), 2.45, kTiny);
    EXPECT_NEAR(profile.seconds(WorkKind::Copy), 2.5, kTiny);
}

TEST(PassProfile, ItsFingerprintIsOfNamesAndCallsAlone)
{
    std::vector<KernelEvent> events = twoPasses();
    const std::string before = profileOf(events, 2).fingerprint;
    for (KernelEvent& event : events)
        event.seconds *= 1.5;
    EXPECT_EQ(profileOf(events, 2).fingerprint, before);
    events.back().kind = WorkKind::Unknown;
    EXPECT_EQ(profileOf(events, 2).fingerprint, before);
    events.push_back(events.back());
    EXPECT_NE(profileOf(events, 2).fingerprint, before);
}

// As profiles of an H100, an H200 and an A100 show them.
TEST(PassProfile, KnowsKernelsByTheirNames)
{
    const std::pair<const char*, WorkKind> names[] = {
        {"qs_skinny_4bit_gate_w8", WorkKind::Product},
        {"qs_widen", WorkKind::Quantize},
        {"qs_scale", WorkKind::Quantize},
        {"nvjet_tst_128x256_64x4_1x2_h_bz_coopB_TNT", WorkKind::Product},
        {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_cublas", WorkKind::Product},
        {"void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16>",
         WorkKind::Product},
        {"void cublasLt::splitKreduce_kernel<32, 16, int, float>", WorkKind::Product},
        {"triton_tem_fused_addmm_0", WorkKind::Product},
        {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128>>",
         WorkKind::Attention},
        {"fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention)", WorkKind::Attention},
        {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16", WorkKind::Attention},
        {"triton_red_fused__to_copy_abs_amax_clamp_div_round_1", WorkKind::Quantize},
        {"triton_poi_fused_gelu_2", WorkKind::Elementwise},
        {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add>",
         WorkKind::Elementwise},
        {"void at::native::reduce_kernel<512, 1, at::native::MaxOps>", WorkKind::Elementwise},
        {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<unsigned short>",
         WorkKind::Copy},
        {"Memcpy DtoD (Device -> Device)", WorkKind::Copy},
        {"Memset (Device)", WorkKind::Copy},
        {"something_new", WorkKind::Unknown}};
    for (const auto& [kernel, kind] : names)
        EXPECT_EQ(workKindOf(kernel), kind) << kernel;
    EXPECT_TRUE(isForOlderChip("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm>"));
    EXPECT_TRUE(isForOlderChip("ampere_sgemm_128x64_tn"));
    EXPECT_FALSE(isForOlderChip("sm90_xmma_gemm_bf16bf16_bf16f32"));
    EXPECT_FALSE(isForOlderChip("nvjet_tst_128x256_64x4_1x2_h_bz_coopB_TNT"));
}

TEST(PassProfile, TakesTheKindsOfWhatWasRecorded)
{
    // The same kernel quantizes first and normalises then; its name does not tell.
    const std::string name = "void at::native::vectorized_elementwise_kernel<4>";
    const std::vector<KernelEvent> known{{name, WorkKind::Quantize, 0.0, 1.0},
                                         {"gemm", WorkKind::Product, 1.0, 1.0},
                                         {name, WorkKind::Elementwise, 2.0, 1.0}};
    std::vector<KernelEvent> events;
    for (int pass = 0; pass < 2; ++pass) {
        for (const KernelEvent& each : known)
            events.push_back({each.name, WorkKind::Unknown, each.start + 10.0 * pass, 1.0});
        // Only the recorded pass has it.
        events.push_back({"Memset (Device)", WorkKind::Unknown, 3.0 + 10.0 * pass, 1.0});
    }
    std::swap(events.front(), events.back());
    takeKinds(events, known);
    std::vector<WorkKind> kinds;
    for (const KernelEvent& event : events)
        kinds.push_back(event.kind);
    using enum WorkKind;
    EXPECT_THAT(kinds, testing::ElementsAre(Quantize, Product, Elementwise, Copy, Quantize, Product,
                                            Elementwise, Copy));
    takeKinds(events, {});
    EXPECT_EQ(events.front().kind, Elementwise) << "by its name";
}

Result<PassProfile> readBack(const Json& json)
{
    std::vector<JsonIssue> issues;
    const PassProfile profile = passProfileFromJson(JsonView(json), "$profile", issues);
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return profile;
}

TEST(PassProfile, SurvivesAFile)
{
    const PassProfile profile = profileOf(twoPasses(), 2);
    EXPECT_EQ(readBack(toJson(profile)).value(), profile);
}

TEST(PassProfile, RefusesWhatCannotBe)
{
    const auto damaged = [](const auto& damage) {
        Json json = toJson(profileOf(twoPasses(), 2));
        damage(json);
        return readBack(json).ok();
    };
    EXPECT_FALSE(damaged([](Json& json) { json["busy_s"] = -1.0; }));
    EXPECT_FALSE(damaged([](Json& json) { json["kernels"][0]["kind"] = "magic"; }));
    EXPECT_FALSE(damaged([](Json& json) { json["kernels"][0].erase("kind"); }));
    EXPECT_FALSE(damaged([](Json& json) { json["kernels"] = 3; }));
    EXPECT_FALSE(damaged([](Json& json) { json["launches"] = "many"; }));
    EXPECT_FALSE(damaged([](Json& json) {
        for (std::size_t i = 0; i <= PassProfile::kMostKernels; ++i)
            json["kernels"].push_back(json["kernels"][0]);
    }));
}

}  // namespace
}  // namespace qs::core
