// Texts of kernels: what they compute where the types of PyTorch decide, and how they are compiled
// and kept.

#include "core/kernels/generated_kernel.h"

#include "core/engine/execute/executor.h"
#include "core/engine/internal/torch_types.h"
#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/lower/fused/kernel_source.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/host_kernels.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

namespace qs::engine {
namespace {

using core::DType;
using core::GraphBuilder;
using core::ValueId;
using testing::HasSubstr;
using testing::Not;
using tests::kCpu;

// 0.1 lies between two numbers of 16 bits, one of which PyTorch compares with.
TEST(GeneratedKernel, ComparesWithNumbersOfTheTypeOfTheTensor)
{
    const c10::InferenceMode inference;
    for (const DType type : {DType::BFloat16, DType::Float16, DType::Float32}) {
        GraphBuilder b;
        const ValueId x = b.input("x", {type, {4, 64}});
        for (const char* sign : {"eq", "ne", "lt", "le", "gt", "ge"}) {
            const ValueId compared = b.call1(std::string("aten::") + sign + ".Scalar",
                                             {{"self", core::ValueRef{x}}, {"other", 0.1}});
            b.output(compared, sign);
        }
        const core::Graph graph = b.finish().value();
        const tests::TestFolder folder;
        const tests::HostKernels kernels({&graph}, {core::denseInputs(graph)}, folder.path());
        const std::vector<at::Tensor> inputs{at::full({4, 64}, 0.1).to(toTorch(type))};
        const auto expected = Executor::create(graph, {}, kCpu).value().run(inputs);
        const auto found = kernels.run(0, inputs);
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_TRUE(at::equal(found[i].to(at::kBool), expected[i])) << i << core::name(type);
    }
}

// Codes of x between two numbers, rounded first.
core::Graph codesOf(DType type, DType codes, double low, double high)
{
    GraphBuilder b;
    const ValueId rounded = b.unary("round", b.input("x", {type, {4, 16}}));
    b.output(b.cast(b.clamp(rounded, low, high), codes), "codes");
    return b.finish().value();
}

at::Tensor hardNumbers()
{
    std::vector<float> numbers{-0.5F,   0.5F,    1.5F,   2.5F,   -0.0F,  127.49F, 127.5F,
                               -128.4F, -128.5F, 254.5F, 255.5F, 1e-40F, 3e38F,   -3e38F};
    for (const float each :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()})
        numbers.push_back(each);
    numbers.resize(64, -6.5F);
    return at::tensor(numbers).reshape({4, 16});
}

TEST(GeneratedKernel, RoundsToCodesAsItsOperationsDo)
{
    const c10::InferenceMode inference;
    std::vector<core::Graph> graphs;
    for (const DType type : {DType::BFloat16, DType::Float16, DType::Float32}) {
        graphs.push_back(codesOf(type, DType::Int8, -128.0, 127.0));
        graphs.push_back(codesOf(type, DType::Int8, -7.0, 7.0));
        graphs.push_back(codesOf(type, DType::UInt8, 0.0, 255.0));
    }
    const tests::TestFolder folder;
    const tests::HostKernels kernels(graphs, folder.path());
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        const auto text =
            core::kernelSource(graphs[i], core::denseInputs(graphs[i]), core::Division::Exact);
        EXPECT_THAT(text.value().text, HasSubstr("qs_code("));
        const at::Tensor x =
            hardNumbers().to(toTorch(graphs[i].value(graphs[i].inputs.front()).type.dtype));
        const auto expected = Executor::create(graphs[i], {}, kCpu).value().run({x}).front();
        EXPECT_TRUE(at::equal(kernels.run(i, {x}).front(), expected)) << i;
    }
}

// Between these there are numbers that are not whole.
TEST(GeneratedKernel, RoundsTwiceWhereLimitsAreNotWhole)
{
    const core::Graph graph = codesOf(DType::Float32, DType::Int8, -1.5, 1.5);
    const auto source =
        core::kernelSource(graph, core::denseInputs(graph), core::Division::Exact).value();
    EXPECT_THAT(source.text, Not(HasSubstr("qs_code(")));
}

// All fractions of 16 bits by all others; scales that are zero become one.
TEST(GeneratedKernel, DividesNumbersOf16BitsExactly)
{
    const c10::InferenceMode inference;
    GraphBuilder b;
    constexpr std::int64_t kFractions = 1024;
    const core::TensorType type{DType::Float16, {kFractions, kFractions}};
    const ValueId x = b.cast(b.input("x", type), DType::Float32);
    const ValueId scale = b.cast(b.absoluteMaximum(b.input("y", type), {-1}), DType::Float32);
    const ValueId isZero = b.cast(b.equals(scale, 0.0), DType::Float32);
    b.output(b.binary("div", x, b.binary("add", scale, isZero)), "quotients");
    const core::Graph graph = b.finish().value();
    const tests::TestFolder folder;
    const tests::HostKernels kernels({&graph}, {core::denseInputs(graph)}, folder.path());
    const auto text = core::kernelSource(graph, core::denseInputs(graph), core::Division::Exact);
    EXPECT_THAT(text.value().text, HasSubstr("qs_quotient_of_16_bits("));
    const at::Tensor fractions = (at::arange(kFractions) / kFractions + 1.0).to(at::kHalf);
    at::Tensor rows = fractions.unsqueeze(1).repeat({1, kFractions});
    rows[0].zero_();
    const std::vector<at::Tensor> inputs{fractions.repeat({kFractions, 1}), rows};
    const auto expected = Executor::create(graph, {}, kCpu).value().run(inputs).front();
    EXPECT_TRUE(at::equal(kernels.run(0, inputs).front(), expected));
}

// Codes of float8 of numbers divided by the largest of another row.
core::Graph float8Codes(DType type, std::int64_t rows)
{
    GraphBuilder b;
    const ValueId x = b.cast(b.input("x", {type, {rows, 64}}), DType::Float32);
    const ValueId largest = b.maximum(b.input("scales", {type, {rows, 64}}), {-1});
    const ValueId steps = b.binary("div", x, b.cast(largest, DType::Float32));
    b.output(b.cast(b.clamp(steps, -448.0, 448.0), DType::Float8E4M3), "codes");
    return b.finish().value();
}

// Bit by bit, so that zeros have their sign, unless there is no number.
void expectSameCodes(const at::Tensor& found, const at::Tensor& expected)
{
    const at::Tensor isNone = expected.to(at::kFloat).isnan();
    EXPECT_TRUE(at::equal(found.to(at::kFloat).isnan(), isNone));
    const at::Tensor isSame = found.view(at::kByte).eq(expected.view(at::kByte));
    EXPECT_TRUE(isSame.logical_or(isNone).all().item<bool>());
}

// Scales from the least denormal number, whose reciprocal is no float, to the largest.
TEST(GeneratedKernel, Float8CodesAreThoseOfADivision)
{
    const c10::InferenceMode inference;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const at::Tensor powers = at::pow(2.0, at::arange(-149, 128, at::kDouble)).unsqueeze(1);
    const std::int64_t rows = powers.size(0);
    for (const DType type : {DType::BFloat16, DType::Float32}) {
        const core::Graph graph = float8Codes(type, rows);
        at::Tensor scales = powers * (1.0 + at::rand({rows, 1}, at::kDouble));
        at::Tensor numbers = powers * at::randn({rows, 64}, at::kDouble) * 150.0;
        numbers.select(1, 3).fill_(0.0);
        numbers.select(1, 5).fill_(-0.0);
        numbers[7][7] = numbers[170][7] = std::numeric_limits<float>::quiet_NaN();
        numbers[8][7] = numbers[171][7] = -kInfinity;
        scales[172][0] = kInfinity;
        scales[173][0] = 0.0;
        scales.slice(0, 174, 178).neg_();
        const std::vector<at::Tensor> inputs{numbers.to(toTorch(type)),
                                             scales.to(toTorch(type)).repeat({1, 64})};
        const tests::TestFolder folder;
        const tests::HostKernels kernels({&graph}, {core::denseInputs(graph)}, folder.path());
        const auto expected = Executor::create(graph, {}, kCpu).value().run(inputs).front();
        const auto text =
            core::kernelSource(graph, core::denseInputs(graph), core::Division::Exact);
        EXPECT_THAT(text.value().text, HasSubstr("qs_quotient"));
        expectSameCodes(kernels.run(0, inputs).front(), expected);
    }
}

// In double precision.
at::Tensor gateOf(const at::Tensor& x, const std::string& form)
{
    if (form == "tanh")
        return x * at::sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x));
    return x * 0.5 * at::erfc(x * -0.7071067811865476);
}

// Of all numbers of 16 bits: rounded they are the nearest, but for what is nothing beside one.
TEST(GeneratedKernel, GatesOf16BitsAreExactEnough)
{
    const c10::InferenceMode inference;
    const at::Tensor bits = at::arange(1 << 16, at::kInt).to(at::kShort).reshape({256, 256});
    for (const DType type : {DType::BFloat16, DType::Float16}) {
        for (const std::string form : {"none", "tanh"}) {
            GraphBuilder b;
            const ValueId x = b.input("x", {type, {256, 256}});
            b.output(b.call1("aten::gelu", {{"self", core::ValueRef{x}}, {"approximate", form}}),
                     "y");
            const core::Graph graph = b.finish().value();
            const tests::TestFolder folder;
            const tests::HostKernels kernels({&graph}, {core::denseInputs(graph)}, folder.path());
            const at::Tensor all = bits.view(toTorch(type));
            const at::Tensor found = kernels.run(0, {all})[0].to(at::kDouble);
            // Not with PyTorch's operation: where a processor multiplies in bf16, that of oneDNN
            // gives infinity for numbers above half of the largest.
            const at::Tensor exact = gateOf(all.to(at::kDouble), form);
            EXPECT_TRUE(at::equal(found.isfinite(), exact.to(all.scalar_type()).isfinite()))
                << form << core::name(type);
            const double unit = type == DType::BFloat16 ? 0x1p-7 : 0x1p-10;
            const at::Tensor beyond = (found - exact).abs() - exact.abs() * unit * 0.51;
            EXPECT_LE(beyond.nan_to_num(0.0, 0.0, 0.0).max().item<double>(), 5e-7)
                << form << core::name(type);
        }
    }
}

// Rows of a large tensor: few numbers, far apart.
TEST(GeneratedKernel, IndicesReachAsFarAsTheInputsLie)
{
    GraphBuilder b;
    b.output(b.unary("abs", b.input("x", {DType::Float32, {4, 64}})), "y");
    const core::Graph graph = b.finish().value();
    constexpr std::int64_t kFar = std::int64_t{1} << 31U;
    const auto textOf = [&](std::int64_t stride) {
        return core::kernelSource(graph, {{stride, 1}}, core::Division::Exact).value().text;
    };
    EXPECT_THAT(textOf(64), Not(HasSubstr("long long qs_index")));
    EXPECT_THAT(textOf(kFar), HasSubstr("long long qs_index"));
}

// Rows go where the index says, and nowhere if that is outside.
TEST(GeneratedKernel, WritesIntoMemoryWithinItsBounds)
{
    const c10::InferenceMode inference;
    GraphBuilder b;
    const ValueId memory = b.input("memory", {DType::Float32, {2, 6, 8}});
    const ValueId index = b.input("index", {DType::Int64, {3}});
    const ValueId x = b.input("x", {DType::Float32, {2, 3, 8}});
    b.output(indexCopyInPlace(b, memory, 1, index, b.scalar("mul", b.unary("abs", x), 2.0)), "y");
    const core::Graph graph = b.finish().value();
    const tests::TestFolder folder;
    const tests::HostKernels kernels({&graph}, {core::denseInputs(graph)}, folder.path());
    const at::Tensor rows = at::arange(48, at::kFloat).reshape({2, 3, 8});
    const auto written = [&](std::vector<std::int64_t> places) {
        const at::Tensor into = at::full({2, 6, 8}, -1.0);
        const at::Tensor found =
            kernels.run(0, {into, at::tensor(places, at::kLong), rows}).front();
        EXPECT_TRUE(found.is_same(into)) << "its memory, no other";
        return found;
    };
    at::Tensor expected = at::full({2, 6, 8}, -1.0);
    expected.index_copy_(1, at::tensor({5, 0, 3}, at::kLong), 2 * rows);
    EXPECT_TRUE(at::equal(written({5, 0, 3}), expected));
    expected.fill_(-1.0).narrow(1, 0, 1).copy_(2 * rows.narrow(1, 1, 1));
    EXPECT_TRUE(at::equal(written({6, 0, -1}), expected));
}

// One number of each row, or one of all, has no place of its own in the text.
TEST(GeneratedKernel, NumbersOfRowsAreWrittenWhereTheyLieDensely)
{
    const auto sourceOf = [](bool places, std::int64_t stride) {
        GraphBuilder b;
        const ValueId memory = b.input("memory", {DType::Float32, {4, 1}});
        const ValueId index = b.input("index", {DType::Int64, {4}});
        const ValueId x = b.input("x", {DType::Float32, {4, 64}});
        const ValueId largest = b.call1("aten::amax", {{"self", core::ValueRef{x}},
                                                       {"dim", std::vector<std::int64_t>{1}},
                                                       {"keepdim", true}});
        b.output(places ? indexCopyInPlace(b, memory, 0, index, largest)
                        : copyInPlace(b, memory, largest),
                 "y");
        return core::kernelSource(b.finish().value(), {{stride, 1}, {1}, {64, 1}},
                                  core::Division::Exact);
    };
    EXPECT_TRUE(sourceOf(false, 1).ok());
    EXPECT_FALSE(sourceOf(false, 2).ok());
    EXPECT_FALSE(sourceOf(true, 1).ok());
}

TEST(GeneratedKernel, TextThatDoesNotCompileIsAnError)
{
    const auto built = core::compileKernel("__global__ void kernel() { nothing(); }", 9, 0);
    ASSERT_FALSE(built.ok());
    EXPECT_EQ(built.error().code, core::ErrorCode::Unsupported);
    EXPECT_THAT(built.error().message, testing::HasSubstr("nothing"));
}

constexpr const char* kSmallKernel = "extern \"C\" __global__ void kernel(int* x) { *x = 7; }";

std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder)
{
    return {std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()};
}

TEST(GeneratedKernel, CodeIsKeptBetweenProcesses)
{
    const tests::TestFolder folder;
    const core::KernelCache cache(folder / "kernels");
    const auto made = core::compileKernel(kSmallKernel, 9, 0, cache).value();
    EXPECT_FALSE(made.kept);
    EXPECT_GT(made.seconds, 0.0);
    ASSERT_EQ(filesIn(folder / "kernels").size(), 1U);
    // Whatever is kept under the key is what the next process gets.
    const core::KernelCache other(folder / "other");
    std::filesystem::copy(folder / "kernels", folder / "other");
    const auto kept = core::compileKernel(kSmallKernel, 9, 0, other).value();
    EXPECT_TRUE(kept.kept);
    EXPECT_EQ(kept.image, made.image);
    EXPECT_NEAR(kept.seconds, made.seconds, 1e-6 * made.seconds);
    EXPECT_EQ(filesIn(folder / "other").size(), 1U);
    const auto another = core::compileKernel(kSmallKernel, 8, 0, other).value();
    EXPECT_FALSE(another.kept);
    EXPECT_NE(another.image, made.image);
    EXPECT_EQ(filesIn(folder / "other").size(), 2U);
}

TEST(GeneratedKernel, DamagedCodeIsMadeAnew)
{
    const tests::TestFolder folder;
    const core::KernelCache cache(folder / "kernels");
    const std::string code = core::compileKernel(kSmallKernel, 9, 0, cache).value().image;
    const auto file = filesIn(folder / "kernels").front();
    for (const std::uintmax_t length : {std::filesystem::file_size(file) - 1, std::uintmax_t{3}}) {
        std::filesystem::resize_file(file, length);
        const auto anew = core::compileKernel(kSmallKernel, 9, 0, cache).value();
        EXPECT_FALSE(anew.kept);
        EXPECT_EQ(anew.image, code);
        EXPECT_GT(std::filesystem::file_size(file), code.size());
    }
}

TEST(KernelCache, KeepsWhatFitsAndNothingWithoutAFolder)
{
    const tests::TestFolder folder;
    const core::KernelCache cache(folder / "kernels", {".cubin", 1000});
    cache.add("a", std::string(600, 'a'));
    cache.add("b", std::string(600, 'b'));
    EXPECT_EQ(filesIn(folder / "kernels").size(), 1U);
    // What was chosen does not go because much was compiled since.
    const core::KernelCache choices(folder / "kernels", core::kKernelChoices);
    choices.add("a", "chosen");
    for (const char* key : {"c", "d", "e"})
        cache.add(key, std::string(900, 'c'));
    EXPECT_EQ(choices.find("a"), "chosen");
    const core::KernelCache none;
    none.add("a", "code");
    EXPECT_EQ(none.find("a"), std::nullopt);
}

}  // namespace
}  // namespace qs::engine
