#include "core/sweep/validity.h"

#include "core/model/catalogue.h"
#include "tests/sweep/checked_cell.h"
#include "tests/sweep/told.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Width 64, two blocks a side, MLP of 176: every linear layer suits every scheme.
constexpr const char* kSmallVitok = "vitok:w64_d2_h4/1x8x16";

DeviceDescription gpu(const char* name)
{
    for (const DeviceDescription& device : commonGpus()) {
        if (device.name == std::string("NVIDIA ") + name)
            return device;
    }
    QS_ASSERT(false);
    return {};
}

DeviceDescription turing()
{
    DeviceDescription device = gpu("V100");
    device.name = "NVIDIA T4";
    device.computeMinor = 5;
    return device;
}

DeviceDescription processor()
{
    DeviceDescription device;
    device.id = "cpu";
    device.name = "CPU";
    device.memoryBytes = std::int64_t{8} << 30U;
    device.processors = 4;
    return device;
}

Validity checked(const CellConfig& cell, const DeviceDescription& device)
{
    const Model model = openModel(cell.model, {}, cell.seed).value().model;
    const auto recipe = makeRecipe(*model.family, cell.precision, cell.layers);
    QS_ASSERT(recipe.ok());
    return checkCell(cell, model, recipe.value(), device);
}

struct Wish {
    std::vector<std::string> precision = {"bf16"};
    std::string compile = "none";
    std::string attention = "auto";
    std::string inputs = "device";
    std::string layers = "all";
    std::int64_t batch = 4;
    std::int64_t imageSize = 64;
    std::string model = kSmallVitok;
};

Validity checked(const Wish& wish, const DeviceDescription& device)
{
    CellConfig cell;
    cell.model = wish.model;
    cell.device = device.id;
    cell.precision = wish.precision;
    cell.compile = wish.compile;
    cell.attention = wish.attention;
    cell.inputs = wish.inputs;
    cell.layers = wish.layers;
    cell.batch = wish.batch;
    cell.sizes.set("image_size", wish.imageSize);
    return checked(cell, device);
}

std::string why(const Wish& wish, const DeviceDescription& device)
{
    const Validity validity = checked(wish, device);
    EXPECT_TRUE(validity.possible() || validity.notes.empty());
    return told(validity.impossible);
}

TEST(Validity, Bf16RunsEverywhereWithoutANote)
{
    for (const DeviceDescription& device : {gpu("H200"), gpu("A100 80GB"), turing(), processor()}) {
        const Validity validity = checked(Wish{}, device);
        EXPECT_EQ(told(validity.impossible), "") << device.name;
        EXPECT_THAT(validity.notes, IsEmpty()) << device.name;
    }
}

TEST(Validity, Float8ProductsNeedAda)
{
    for (const char* scheme : {"float8dq-tensor", "float8dq-row"}) {
        EXPECT_EQ(why({.precision = {scheme}}, gpu("A100 80GB")),
                  "needs_capability: float8 matrix products, 8.9, Ada, Hopper or newer, "
                  "NVIDIA A100 80GB, 8.0");
        EXPECT_EQ(why({.precision = {scheme}}, gpu("L40S")), "");
        EXPECT_EQ(why({.precision = {scheme}}, gpu("H200")), "");
    }
    EXPECT_THAT(why({.precision = {"bf16", "float8dq-row"}}, gpu("A100 80GB")), HasSubstr("8.9"));
    // Weights in float8 are widened before they are multiplied.
    EXPECT_EQ(why({.precision = {"float8wo"}}, gpu("A100 80GB")), "");
}

TEST(Validity, OnACpuFloat8IsAReferencePath)
{
    const Validity validity = checked(Wish{.precision = {"float8dq-row"}}, processor());
    EXPECT_EQ(told(validity.impossible), "");
    EXPECT_THAT(validity.notes, ElementsAre(Note{NoteCode::ReferenceFloat8}));
    EXPECT_THAT(checked(Wish{.precision = {"float8dq-row"}}, gpu("H200")).notes, IsEmpty());
}

TEST(Validity, Tf32NeedsAmpere)
{
    EXPECT_EQ(why({.precision = {"tf32"}}, processor()), "needs_cuda: TF32 products, cpu");
    EXPECT_EQ(why({.precision = {"tf32"}}, turing()),
              "needs_capability: TF32 products, 8.0, Ampere or newer, NVIDIA T4, 7.5");
    EXPECT_EQ(why({.precision = {"tf32"}}, gpu("A100 80GB")), "");
    EXPECT_EQ(why({.precision = {"fp32"}}, processor()), "");
}

TEST(Validity, GpusThatCuda13HasLeftBehindRunNothing)
{
    EXPECT_EQ(why({}, gpu("V100")), "needs_capability: the libraries of CUDA 13, 7.5, Turing or "
                                    "newer, NVIDIA V100, 7.0");
    EXPECT_EQ(why({.precision = {"int8dq"}}, turing()), "");
}

TEST(Validity, CudaGraphsNeedACudaDevice)
{
    EXPECT_EQ(why({.compile = "cuda-graph"}, processor()), "needs_cuda: CUDA graphs, cpu");
    EXPECT_EQ(why({.compile = "cuda-graph"}, gpu("H200")), "");
}

TEST(Validity, InductorNeedsWhatItCompilesWith)
{
    DeviceDescription device = gpu("H200");
    for (const char* mode : {"inductor-default", "inductor-reduce-overhead"})
        EXPECT_EQ(why({.compile = mode}, device), "");
    device.compilerLacks = "triton";
    EXPECT_EQ(why({.compile = "inductor-default"}, device),
              "compiler_lacks: triton, Inductor, cuda:0");
    EXPECT_EQ(why({.compile = "none"}, device), "");
    EXPECT_EQ(why({.compile = "inductor-default"}, processor()), "");
    EXPECT_EQ(why({.compile = "inductor-max-autotune"}, processor()),
              "needs_cuda: CUDA graphs of Inductor, cpu");
}

TEST(Validity, FusedNeedsWhatItsKernelsAreCompiledWith)
{
    DeviceDescription device = gpu("H200");
    EXPECT_EQ(why({.compile = "fused"}, device), "");
    device.kernelsLack = "libnvrtc.so.13";
    EXPECT_EQ(why({.compile = "fused:graph=pass"}, device),
              "compiler_lacks: libnvrtc.so.13, fused, cuda:0");
    EXPECT_EQ(why({.compile = "cuda-graph"}, device), "");
    EXPECT_EQ(why({.compile = "fused"}, processor()), "") << "the reference path";
}

TEST(Validity, InductorCompilesNoFloat8ForACpu)
{
    for (const char* scheme : {"float8dq-row", "float8wo", "float8-delayed"}) {
        EXPECT_EQ(why({.precision = {scheme}, .compile = "inductor-default"}, processor()),
                  std::string("compiler_refuses: ") + scheme + ", inductor-default, cpu");
        EXPECT_EQ(why({.precision = {scheme}, .compile = "inductor-default"}, gpu("H200")), "");
        EXPECT_EQ(why({.precision = {scheme}, .compile = "none"}, processor()), "");
        // Regions without a layer have none.
        EXPECT_EQ(why({.precision = {scheme}, .compile = "regions:rope+norm"}, processor()), "");
    }
    EXPECT_EQ(why({.precision = {"float8wo"}, .compile = "regions:mlp"}, processor()),
              "compiler_refuses: float8wo, regions:mlp, cpu");
    // Its layers write their history, so that such a region stays eager.
    EXPECT_EQ(why({.precision = {"float8-delayed"}, .compile = "regions:mlp"}, processor()), "");
    EXPECT_EQ(why({.precision = {"int8dq"}, .compile = "inductor-default"}, processor()), "");
    // The stage that is compiled has none.
    EXPECT_EQ(why({.precision = {"bf16", "float8dq-row"}, .compile = "inductor-default/none"},
                  processor()),
              "");
}

TEST(Validity, UnknownTextsAreQuotedWithTheKnownOnes)
{
    EXPECT_EQ(why({.compile = "jit"}, gpu("H200")),
              "remark: unknown compile mode \"jit\"; known are none, cuda-graph, inductor-default, "
              "inductor-reduce-overhead, inductor-max-autotune, "
              "inductor-max-autotune-no-cudagraphs, regions:rope+norm+silu_gate, "
              "regions-graph:rope+norm+silu_gate, fused, as-packaged");
    EXPECT_EQ(why({.attention = "linear"}, gpu("H200")),
              "remark: unknown attention kernel \"linear\"; known are auto, math, flash, "
              "efficient, cudnn");
}

TEST(Validity, InputsAreCopiedToGpusAlone)
{
    for (const std::string place : {"pageable", "pinned", "overlapped"}) {
        EXPECT_EQ(why({.inputs = place}, gpu("H200")), "");
        EXPECT_EQ(why({.inputs = place}, processor()), "inputs_stay: cpu");
    }
    EXPECT_EQ(
        why({.inputs = "disk"}, gpu("H200")),
        "remark: unknown input placement \"disk\"; known are device, pageable, pinned, overlapped");
}

TEST(Validity, ACpuHasThreeAttentionKernels)
{
    for (const char* kernel : {"auto", "math", "flash"}) {
        EXPECT_EQ(why({.attention = kernel}, processor()), "");
        EXPECT_EQ(why({.precision = {"fp32"}, .attention = kernel}, processor()), "");
    }
    for (const std::string kernel : {"efficient", "cudnn"})
        EXPECT_EQ(why({.attention = kernel}, processor()), "attention_needs_cuda: " + kernel);
}

TEST(Validity, TheFlashKernelOfAGpuTakesNoMask)
{
    const auto possible = [](const char* size, const char* kernel, DeviceDescription device) {
        CellConfig cell;
        cell.model = kSmallVitok;
        cell.device = device.id;
        cell.precision = {"bf16"};
        cell.attention = kernel;
        cell.sizes = {{"image_size", 64}, {size, 64}};
        return checked(cell, device).possible();
    };
    for (const char* size : {"token_budget", "attention_window"}) {
        EXPECT_FALSE(possible(size, "flash", gpu("H200"))) << size;
        EXPECT_TRUE(possible(size, "efficient", gpu("H200"))) << size;
        EXPECT_TRUE(possible(size, "auto", gpu("H200"))) << size;
        EXPECT_TRUE(possible(size, "flash", processor())) << size;
    }
    for (const char* size : {"image_height", "image_width"})
        EXPECT_TRUE(possible(size, "flash", gpu("H200"))) << size;
}

TEST(Validity, FlashAndCudnnTakeSixteenBits)
{
    for (const std::string kernel : {"flash", "cudnn"}) {
        for (const std::string scheme : {"fp32", "tf32"})
            EXPECT_EQ(why({.precision = {scheme}, .attention = kernel}, gpu("H200")),
                      "attention_too_wide: " + kernel + ", " + scheme);
        for (const char* scheme : {"bf16", "fp16", "bf16-autocast", "int8dq", "float8wo"})
            EXPECT_EQ(why({.precision = {scheme}, .attention = kernel}, gpu("H200")), "");
        EXPECT_THAT(why({.precision = {"bf16", "fp32"}, .attention = kernel}, gpu("H200")),
                    "attention_too_wide: " + kernel + ", fp32");
        EXPECT_EQ(why({.attention = kernel}, turing()),
                  "needs_capability: the flash and cudnn attention kernels, 8.0, Ampere or newer, "
                  "NVIDIA T4, 7.5");
    }
    for (const char* kernel : {"auto", "math", "efficient"})
        EXPECT_EQ(why({.precision = {"fp32"}, .attention = kernel}, gpu("H200")), "");
}

TEST(Validity, TheFamilyJudgesTheShape)
{
    EXPECT_THAT(why({.imageSize = 100}, processor()), HasSubstr("100"));
    EXPECT_EQ(why({.imageSize = 104}, processor()), "");
    EXPECT_THAT(why({.imageSize = 16392}, processor()), HasSubstr("16384 px"));
    EXPECT_THAT(why({.batch = INT32_MAX, .imageSize = 16384}, processor()), HasSubstr("2^48"));
}

TEST(Validity, ImagesMustBePossible)
{
    EXPECT_EQ(why({.imageSize = 4096}, processor()), "");
    EXPECT_THAT(why({.imageSize = 8192}, processor()), "image_too_large: 8192, 4096");
}

TEST(Validity, WeightsMustFit)
{
    DeviceDescription small = gpu("H200");
    small.name = "small";
    const Model model = openModel(kSmallVitok, {}, 42).value().model;
    const auto bytesOf = [&](const char* scheme) {
        return residentWeightBytes(*model.family,
                                   makeRecipe(*model.family, {scheme}, "all").value());
    };
    small.memoryBytes = bytesOf("bf16");
    EXPECT_EQ(why({}, small), "");
    small.memoryBytes -= 1;
    EXPECT_THAT(why({}, small), HasSubstr("weights_too_large: "));
    EXPECT_EQ(why({.precision = {"int8dq"}}, small), "");
    small.memoryBytes = 0;  // not known
    EXPECT_EQ(why({.precision = {"fp32"}}, small), "");
}

TEST(Validity, BothFiguresOfMemoryAreGiven)
{
    const Wish wish{.precision = {"fp32"}, .imageSize = 256, .model = "vitok:5B-f32x64"};
    DeviceDescription device = processor();
    const Model model = openModel(wish.model, {}, 42).value().model;
    const std::int64_t bytes =
        residentWeightBytes(*model.family, makeRecipe(*model.family, {"fp32"}, "all").value());
    EXPECT_NEAR(static_cast<double>(bytes) / (1LL << 30), 18.66, 0.005);
    EXPECT_EQ(why(wish, device), fmt::format("weights_too_large: {}, CPU, {}", bytes, 8LL << 30));
    EXPECT_EQ(why(wish, gpu("H200")), "");
}

TEST(Validity, AFilterThatMatchesNothingIsNoQuantization)
{
    const std::string nothing = "filter_matches_no_layer: regex:nowhere, int8dq";
    EXPECT_EQ(why({.precision = {"int8dq"}, .layers = "regex:nowhere"}, processor()), nothing);
    EXPECT_EQ(why({.precision = {"int8dq", "bf16"}, .layers = "regex:nowhere"}, processor()),
              nothing);
    EXPECT_THAT(why({.precision = {"int8wo"}, .layers = "all -first1 -last1"}, processor()),
                HasSubstr("filter_matches_no_layer"));
    // It hits layers, but none of a stage that is quantized.
    EXPECT_THAT(
        why({.precision = {"int8dq", "bf16"}, .layers = "regex:decoder_blocks"}, processor()),
        HasSubstr("filter_matches_no_layer"));
    EXPECT_EQ(why({.precision = {"bf16"}, .layers = "regex:nowhere"}, processor()), "");
    EXPECT_EQ(why({.precision = {"int8dq"}, .layers = "mlp -first1"}, processor()), "");
}

TEST(Validity, SizesThatCannotBeMultipliedAreNamed)
{
    // A code of 4 values: neither 8 nor 16 divide it.
    EXPECT_THAT(why({.precision = {"int8dq"},
                     .layers = "regex:^to_code$",
                     .model = "vitok:w64_d2_h4/1x8x4"},
                    processor()),
                HasSubstr("no_layer_fits: regex:^to_code$, int8dq, to_code, "));
}

TEST(Validity, AStageThatTheFilterMissesIsNoted)
{
    const Validity validity =
        checked(Wish{.precision = {"int8dq"}, .layers = "regex:decoder_blocks"}, gpu("H200"));
    EXPECT_EQ(told(validity.impossible), "");
    EXPECT_THAT(validity.notes, ElementsAre(Note{NoteCode::FilterMatchesNone,
                                                 {"regex:decoder_blocks", "encoder", "bfloat16"}}));
}

std::vector<Note> skippedNotes(const Wish& wish)
{
    std::vector<Note> notes = checked(wish, processor()).notes;
    std::erase_if(notes, [](const Note& note) { return note.code != NoteCode::LayersSkipped; });
    return notes;
}

TEST(Validity, LayersThatAPrecisionCannotTakeAreNotedWithTheirShare)
{
    // The width of both stages is 64; the MLP makes 2 · 176 features and takes 176.
    const char* model = "vitok:w64_d2_h4/1x8x16";
    const std::string reason = "176 input features are no multiple of 32, as int4wo-32 needs";
    const double share = 64.0 * 176.0 / (64.0 * (4.0 * 64.0 + 3.0 * 176.0));
    EXPECT_EQ(why({.precision = {"int4wo-32"}, .model = model}, processor()), "");
    const std::vector<Note> notes = skippedNotes({.precision = {"int4wo-32"}, .model = model});
    ASSERT_EQ(notes.size(), 2U);
    for (std::size_t place = 0; place < 2; ++place) {
        EXPECT_EQ(notes[place].text(0), place == 0 ? "encoder" : "decoder");
        EXPECT_EQ(notes[place].number(1), 2.0);
        EXPECT_EQ(notes[place].number(2), 8.0);
        EXPECT_NEAR(notes[place].number(3), share, 1e-12);
        EXPECT_EQ(notes[place].text(4), "int4wo-32");
        EXPECT_EQ(notes[place].text(5), reason);
    }
    EXPECT_THAT(skippedNotes({.precision = {"int4wo-32:tail=1"}, .model = model}), IsEmpty());
    EXPECT_THAT(skippedNotes({.precision = {"int4wo-32"}, .layers = "attention", .model = model}),
                IsEmpty())
        << "the filter leaves them out";
}

TEST(Validity, FusedGroupsOfAProcessorAreNoted)
{
    EXPECT_THAT(checked(Wish{.compile = "fused"}, processor()).notes,
                ElementsAre(Note{NoteCode::ReferenceFused, {std::string("encoder")}},
                            Note{NoteCode::ReferenceFused, {std::string("decoder")}}));
    EXPECT_THAT(checked(Wish{.compile = "fused"}, gpu("H200")).notes, IsEmpty());
}

TEST(Validity, PaddedProductsAreNoted)
{
    const Wish few{.precision = {"int8dq"}, .batch = 1, .imageSize = 32};  // 16 tokens
    EXPECT_THAT(checked(few, gpu("H200")).notes,
                ElementsAre(Note{NoteCode::RowsPadded, {16.0, 17.0}}));
    const Wish kernels{.precision = {"int8dq"}, .compile = "fused", .batch = 1, .imageSize = 32};
    EXPECT_THAT(checked(kernels, gpu("H200")).notes, IsEmpty())
        << "they read the rows that are there";
    EXPECT_THAT(checked(few, processor()).notes, ElementsAre(Note{NoteCode::UnfusedInt8}));
    EXPECT_THAT(checked(Wish{.precision = {"int8dq"}}, gpu("H200")).notes, IsEmpty());
}

}  // namespace
}  // namespace qs::core
