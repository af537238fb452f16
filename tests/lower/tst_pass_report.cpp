#include "core/lower/fused/pass_report.h"

#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/lower/compile_mode.h"
#include "core/lower/eager_stage.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/kernel_notes.h"
#include "core/lower/fused/product_groups.h"
#include "core/quant/scheme.h"
#include "tests/support/scheme_layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<PassEntry> reportOf(const std::string& scheme, std::int64_t rows, std::int64_t out)
{
    const RegionStage stage =
        fusedStage(tests::layerStage(parseScheme(scheme).value(), {rows, 1024}, out, true),
                   commonGpus().front())
            .value();
    return passReport(stage, productChip(commonGpus().front()));
}

std::vector<PassEntry> beside(const std::vector<PassEntry>& all)
{
    std::vector<PassEntry> found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [](const PassEntry& each) { return !each.program; });
    return found;
}

TEST(PassReport, SaysWhatIsOneKernelAndOfWhichLayer)
{
    const auto all = reportOf("int8dq", 4096, 128);
    EXPECT_THAT(beside(all), ElementsAre());
    const auto product = std::find_if(all.begin(), all.end(), [](const PassEntry& each) {
        return std::count(each.operations.begin(), each.operations.end(), "_int_mm") > 0;
    });
    ASSERT_NE(product, all.end());
    EXPECT_THAT(product->operations, Contains("mul")) << "the scales";
    EXPECT_THAT(product->operations, Not(Contains("t"))) << "views are none";
    EXPECT_EQ(product->calls, 1);
    EXPECT_FALSE(product->module.empty());
}

TEST(PassReport, SaysWhyAProductIsNone)
{
    const auto library = beside(reportOf("bf16", 4096, 128));
    ASSERT_EQ(library.size(), 1U);
    EXPECT_THAT(library[0].operations, ElementsAre("linear"));
    EXPECT_EQ(library[0].why, Unfused::Library);
    EXPECT_THAT(beside(reportOf("bf16", 64, 128)), ElementsAre());
    const auto shape = beside(reportOf("int8dq", 4096, 60));
    const auto product = std::find_if(shape.begin(), shape.end(), [](const PassEntry& each) {
        return each.operations.front() == "_int_mm";
    });
    ASSERT_NE(product, shape.end());
    EXPECT_EQ(product->why, Unfused::Shape);
}

// Of the only operation with that name beside the kernels of a stage.
Unfused whyOf(GraphBuilder& b, const std::string& word,
              const DeviceDescription& device = commonGpus().front())
{
    StageProgram program;
    program.graph = b.finish().value();
    const auto all = beside(passReport(fusedStage(program, device).value(), productChip(device)));
    const auto found = std::find_if(all.begin(), all.end(), [&](const PassEntry& each) {
        return each.operations.front() == word;
    });
    EXPECT_NE(found, all.end()) << word;
    return found == all.end() ? Unfused::No : found->why;
}

TEST(PassReport, AGateBetweenProductsOfTheLibraryStandsAlone)
{
    GraphBuilder b;
    const TensorType weight{DType::BFloat16, {64, 64}};
    const ValueId x = b.input("x", {DType::BFloat16, {4096, 64}});
    const ValueId open = b.unary("silu", b.linear(x, b.weight("first", weight)));
    b.output(b.linear(open, b.weight("second", weight)), "y");
    EXPECT_EQ(whyOf(b, "silu"), Unfused::Alone);
}

TEST(PassReport, AttentionOverManyKeysIsPyTorchs)
{
    const auto whyOfKeys = [](std::int64_t keys, const DeviceDescription& device) {
        GraphBuilder b;
        const TensorType type{DType::BFloat16, {1, 2, keys, 64}};
        b.output(b.attention(b.input("q", type), b.input("k", type), b.input("v", type)), "y");
        return whyOf(b, "scaled_dot_product_attention", device);
    };
    DeviceDescription ampere = commonGpus().front();
    ampere.computeMajor = 8;
    EXPECT_EQ(whyOfKeys(512, commonGpus().front()), Unfused::Attention);
    EXPECT_EQ(whyOfKeys(64, ampere), Unfused::Attention);
}

TEST(PassReport, TheLargestOfTooManyRowsIsPyTorchs)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, {64, 1, std::int64_t{1} << 20U}});
    b.output(b.unary("neg", b.maximum(x, {})), "y");
    EXPECT_EQ(whyOf(b, "amax"), Unfused::Rows);
}

TEST(PassReport, WhatHasNoKernelIsToldApartFromWhatNoKernelTakesTogether)
{
    GraphBuilder b;
    b.output(argmax(b, b.input("x", {DType::BFloat16, {4, 64}}), -1), "y");
    EXPECT_EQ(whyOf(b, "argmax"), Unfused::Operation);
    // Results of two sizes.
    GraphBuilder c;
    const ValueId whole = c.unary("abs", c.input("x", {DType::BFloat16, {4, 64}}));
    c.output(whole, "whole");
    c.output(c.unary("neg", c.slice(whole, 0, 0, 3)), "part");
    EXPECT_EQ(whyOf(c, "abs"), Unfused::Group);
}

TEST(PassReport, TheUnitsOfTheGpuAreAReason)
{
    DeviceDescription ampere = commonGpus().front();
    ampere.computeMajor = 8;
    ampere.computeMinor = 0;
    const StageProgram layer =
        tests::layerStage(parseScheme("float8dq-row").value(), {4096, 1024}, 128, true);
    const auto all = beside(passReport(fusedStage(layer, ampere).value(), productChip(ampere)));
    const auto product = std::find_if(all.begin(), all.end(), [](const PassEntry& each) {
        return each.operations.front() == "_scaled_mm";
    });
    ASSERT_NE(product, all.end());
    EXPECT_EQ(product->why, Unfused::Units);
}

std::vector<Note> notesOf(StageProgram stage, const char* mode, const DeviceDescription& device)
{
    Program program;
    program.stages.push_back(std::move(stage));
    program.stages[0].compile = parseCompileMode(mode).value();
    return notesOnKernels(program, stagesAsRun(program, device).value(), device);
}

std::vector<Note> notesOf(const char* mode, std::int64_t out, const DeviceDescription& device,
                          const char* scheme = "int8dq")
{
    return notesOf(tests::layerStage(parseScheme(scheme).value(), {4096, 1024}, out, true), mode,
                   device);
}

TEST(PassReport, WhatNoKernelTakesIsKnownBeforeTheRun)
{
    const DeviceDescription hopper = commonGpus().front();
    EXPECT_THAT(notesOf("fused", 128, hopper), IsEmpty());
    EXPECT_THAT(notesOf("cuda-graph", 60, hopper), IsEmpty());
    const auto notes = notesOf("fused", 60, hopper);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].code, NoteCode::FusedFellBack);
    EXPECT_EQ(notes[0].arguments.at(1), NoteArgument("fc"));
    DeviceDescription older = hopper;
    older.computeMajor = 7;
    older.computeMinor = 5;
    EXPECT_THAT(notesOf("fused", 128, older), SizeIs(1));
    EXPECT_THAT(notesOf("fused", 60, DeviceDescription()), IsEmpty()) << "a CPU has no kernels";
}

TEST(PassReport, FloatEightNeedsAdaWhereIntEightNeedsAmpere)
{
    DeviceDescription ampere = commonGpus().front();
    ampere.computeMajor = 8;
    DeviceDescription ada = ampere;
    ada.computeMinor = 9;
    EXPECT_THAT(notesOf("fused", 128, ampere), IsEmpty());
    EXPECT_THAT(notesOf("fused", 128, ampere, "float8dq-row"), SizeIs(1));
    EXPECT_THAT(notesOf("fused", 128, ada, "float8dq-row"), IsEmpty());
    EXPECT_THAT(notesOf("fused:units=plain", 128, commonGpus().front(), "float8dq-row"), IsEmpty());
}

struct LayerSize {
    const char* scheme;
    std::int64_t rows;
    std::int64_t in;
    std::int64_t out;
};

// Products that PyTorch runs in the fused stage, but for those that its library does as fast.
bool isLeft(const StageProgram& layer, const DeviceDescription& device)
{
    const auto all = beside(passReport(fusedStage(layer, device).value(), productChip(device)));
    return std::any_of(all.begin(), all.end(), [](const PassEntry& each) {
        const Operation* operation = findOperation("aten::" + each.operations.front());
        return operation != nullptr && multiplies(*operation) && each.why != Unfused::Library;
    });
}

std::vector<LayerSize> layerSizes()
{
    std::vector<LayerSize> sizes;
    for (const char* scheme : {"bf16", "fp16", "int8wo", "float8wo", "int8dq", "float8dq-row",
                               "float8dq-tensor", "int8-static"}) {
        for (const std::int64_t rows : {0, 1, 8, 64, 4096}) {
            for (const std::int64_t in : {1, 36, 1020, 1024, 1032})
                sizes.push_back({scheme, rows, in, 128});
            sizes.push_back({scheme, rows, 1024, 60});
        }
    }
    for (const char* scheme : {"int4wo-32", "gptq-int4-32"}) {
        for (const std::int64_t rows : {0, 1, 64, 4096}) {
            sizes.push_back({scheme, rows, 1024, 128});
            sizes.push_back({scheme, rows, 1024, 60});
        }
    }
    return sizes;
}

// With an empty batch and with one input, too.
TEST(PassReport, NotesBeforeTheRunAreOfTheProductsThatKernelsLeave)
{
    const DeviceDescription hopper = commonGpus().front();
    for (const LayerSize& size : layerSizes()) {
        SCOPED_TRACE(testing::Message() << size.scheme << ": " << size.rows << " rows, " << size.in
                                        << " inputs, " << size.out << " outputs");
        const StageProgram layer = tests::layerStage(parseScheme(size.scheme).value(),
                                                     {size.rows, size.in}, size.out, true);
        EXPECT_THAT(notesOf(layer, "fused", hopper), SizeIs(isLeft(layer, hopper) ? 1 : 0));
    }
}

// Of 16 bits with many rows kernels take products in front of gates alone.
TEST(PassReport, GatesThatNoKernelTakesAreNamedBeforeTheRun)
{
    struct GateSize {
        std::int64_t in;
        std::int64_t out;
        bool hasNote;
    };
    for (const std::int64_t rows : {64, 4096}) {
        for (const GateSize& size : {GateSize{128, 128, false},
                                     {128, 136, rows > kFewRows},
                                     {128, 60, true},
                                     {100, 128, true}}) {
            SCOPED_TRACE(testing::Message()
                         << rows << " rows, " << size.in << " inputs, " << size.out << " outputs");
            StageProgram stage;
            GraphBuilder b;
            {
                const ModuleScope scope(b, "fc1");
                const ValueId x = b.input("x", {DType::BFloat16, {rows, size.in}});
                const auto halves = b.chunk(
                    b.linear(x, b.weight("w", {DType::BFloat16, {size.out, size.in}})), 2, -1);
                b.output(b.binary("mul", b.unary("silu", halves[0]), halves[1]), "y");
            }
            stage.graph = b.finish().value();
            const auto notes = notesOf(stage, "fused", commonGpus().front());
            ASSERT_THAT(notes, SizeIs(size.hasNote ? 1 : 0));
            if (size.hasNote) {
                EXPECT_EQ(notes[0].code, NoteCode::FusedFellBack);
                EXPECT_EQ(notes[0].arguments.at(1), NoteArgument("fc1"));
            }
            DeviceDescription turing = commonGpus().front();
            turing.computeMajor = 7;
            if (rows > kFewRows) {
                EXPECT_THAT(notesOf(stage, "fused", turing), IsEmpty());
            }
        }
    }
}

TEST(PassReport, NotesNameTheFirstModuleOfAReasonAndHowManyMore)
{
    GraphBuilder b;
    ValueId x = b.input("x", {DType::BFloat16, {64, 128}});
    for (const char* name : {"a", "b", "c"}) {
        const ModuleScope scope(b, name);
        const ValueId weight = b.weight(name, {DType::BFloat16, {60, 128}});
        b.output(b.linear(x, weight), name);
        b.output(b.linear(b.unary("neg", x), weight), std::string(name) + "2");
    }
    StageProgram stage;
    stage.graph = b.finish().value();
    const auto notes = notesOf(stage, "fused", commonGpus().front());
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].arguments.at(1), NoteArgument("a and 2 more"));
}

}  // namespace
}  // namespace qs::core
