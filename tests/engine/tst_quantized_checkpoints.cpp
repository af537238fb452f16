// Models that were written quantized, in every format and of every scheme that can be stored: read
// back, they give the outputs of the model in memory, bit by bit; damaged ones are refused.

#include "core/engine/cell_runner.h"
#include "core/model/catalogue.h"
#include "core/model/generated_inputs.h"
#include "core/quant/checkpoint_format.h"
#include "tests/engine/family_pipeline.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/edited_safetensors.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>

namespace qs::engine {
namespace {

using core::CellRequest;
using core::CheckpointFormat;
using ::testing::HasSubstr;
using tests::EditedSafetensors;

constexpr const char* kVitok = "vitok:w64_d1_h2-w64_d2_h2/1x8x16";
constexpr const char* kLlama = "llama:w32_d2_h4_k2_f64_v80";
constexpr int kSize = 32;

class Quantizing : public ::testing::Test
{
protected:
    CellRequest request(const std::string& model, const std::string& precision)
    {
        CellRequest request = tests::smallCell(m_folder.path(), model, 2, kSize);
        if (model == kLlama) {
            request.config.sizes = {};
            request.config.sizes.set("prompt_tokens", 4);
            request.config.sizes.set("new_tokens", 3);
        }
        request.config.precision = {precision};
        request.config.layers = "every";
        request.keptOutputs = 0;
        request.cacheFolder = (m_folder / "cache").string();
        return request;
    }

    core::Status write(const std::string& model, const std::string& precision,
                       CheckpointFormat format)
    {
        std::filesystem::create_directories(written());
        CellRequest asked = request(model, precision);
        asked.outputFolder = "written";
        asked.checkpoint = format;
        const auto result = m_runner.run(asked, m_observer);
        return result.ok() ? core::Status() : result.error();
    }

    // SHA-256 of each of them.
    core::Result<std::vector<std::string>> outputs(const CellRequest& asked)
    {
        QS_TRY(const core::CellResult result, m_runner.run(asked, m_observer));
        EXPECT_EQ(result.storage.offenderCount, 0) << asked.config.model;
        EXPECT_EQ(result.storage.storageBytes, result.storage.logicalBytes) << asked.config.model;
        return tests::outputHashes(result);
    }

    // Of what was written, with the sizes of that model.
    CellRequest again(const std::string& model, const std::string& precision)
    {
        CellRequest asked = request(model, precision);
        asked.config.model = written().string();
        return asked;
    }

    [[nodiscard]] std::filesystem::path written() const { return m_folder / "written"; }

    tests::TestFolder m_folder;
    CellRunner m_runner;
    tests::SilentObserver m_observer;
};

struct Stored {
    CheckpointFormat format;
    std::string precision;
    std::string readAs = precision;  // options that do not matter any more are left out
    const char* model = kVitok;

    friend void PrintTo(const Stored& each, std::ostream* stream)
    {
        *stream << core::kCheckpointFormats.of(each.format) << " " << each.precision << " "
                << each.model;
    }
};

const std::vector<Stored>& ownCases()
{
    constexpr CheckpointFormat kOwn = CheckpointFormat::QuantScope;
    static const std::vector<Stored> all{
        {kOwn, "int8dq"},
        {kOwn, "int8dq:rule=tensor"},
        {kOwn, "int8dq:rule=reduced:by=division"},
        {kOwn, "int8wo"},
        {kOwn, "int8wo:rest=autocast"},
        {kOwn, "int8wo", "int8wo", "resnet:18/10"},
        {kOwn, "int8wo", "int8wo", kLlama},
        {kOwn, "int8sq:samples=2"},
        {kOwn, "int8-static:samples=2"},
        {kOwn, "int8-static:range=affine:samples=2"},
        {kOwn, "float8wo"},
        {kOwn, "float8wo:rest=fp16"},
        {kOwn, "float8dq-row"},
        {kOwn, "float8dq-tensor:scale=float32"},
        {kOwn, "float8-delayed:samples=2"},
        {kOwn, "int4wo-32"},
        {kOwn, "int4wo-128:tail=1"},
        {kOwn, "gptq-int4-32:samples=2"},
        {kOwn, "gptq-int4-32:order=group:samples=2"},
        {kOwn, "gptq-int4-128:order=group:tail=1:samples=2"},
        {kOwn, "gptq-int4-32:order=group:samples=2", "gptq-int4-32:order=group:samples=2", kLlama},
    };
    return all;
}

class RoundTrip : public Quantizing, public ::testing::WithParamInterface<Stored>
{
};

TEST_P(RoundTrip, GivesTheOutputsOfTheModelInMemory)
{
    const Stored& stored = GetParam();
    const auto inMemory = outputs(request(stored.model, stored.precision));
    ASSERT_TRUE(inMemory.ok()) << inMemory.error().message;
    const core::Status status = write(stored.model, stored.precision, stored.format);
    ASSERT_TRUE(status.ok()) << status.error().message;

    const auto opened = core::openModel(written().string(), {}, 42);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_TRUE(opened.value().report.unexpected.empty()) << opened.value().report.text();
    const core::Model& model = opened.value().model;
    ASSERT_FALSE(model.quantized.empty());
    for (const auto& [weight, scheme] : model.quantized)
        EXPECT_EQ(scheme, stored.readAs) << weight;

    const auto readBack = outputs(again(stored.model, stored.readAs));
    ASSERT_TRUE(readBack.ok()) << readBack.error().message;
    EXPECT_GE(inMemory.value().size(), 2U);
    EXPECT_EQ(readBack.value(), inMemory.value());
    // Not because nothing was quantized.
    const auto plain = outputs(request(stored.model, "bf16"));
    ASSERT_TRUE(plain.ok()) << plain.error().message;
    EXPECT_NE(plain.value(), inMemory.value());
}

constexpr CheckpointFormat kPacked = CheckpointFormat::CompressedTensors;
constexpr CheckpointFormat kTorchAo = CheckpointFormat::TorchAo;

INSTANTIATE_TEST_SUITE_P(Own, RoundTrip, ::testing::ValuesIn(ownCases()));
INSTANTIATE_TEST_SUITE_P(
    PackQuantized, RoundTrip,
    ::testing::Values(
        Stored{kPacked, "int8wo"}, Stored{kPacked, "int8wo:rest=fp16"},
        Stored{kPacked, "int8wo:rest=fp32"}, Stored{kPacked, "int8wo:by=division", "int8wo"},
        Stored{kPacked, "gptq-int4-32:samples=2", "gptq-int4-32"},
        Stored{kPacked, "gptq-int4-32:order=none:rest=fp16:samples=2",
               "gptq-int4-32:order=none:rest=fp16"},
        Stored{kPacked, "gptq-int4-32:order=group:damp=0.05:samples=2", "gptq-int4-32:order=group"},
        Stored{kPacked, "gptq-int4-32:order=group:samples=2", "gptq-int4-32:order=group", kLlama}));
INSTANTIATE_TEST_SUITE_P(
    TorchAo, RoundTrip,
    ::testing::Values(Stored{kTorchAo, "int8dq"}, Stored{kTorchAo, "int8dq:rest=fp32"},
                      Stored{kTorchAo, "int8wo"}, Stored{kTorchAo, "int8wo:rest=fp16"},
                      Stored{kTorchAo, "int8sq:alpha=0.75:samples=2", "int8sq"},
                      Stored{kTorchAo, "int8sq:rest=fp32:samples=2", "int8sq:rest=fp32"},
                      Stored{kTorchAo, "int8wo", "int8wo", kLlama},
                      Stored{kTorchAo, "float8wo:scale=float32:by=reciprocal", "float8wo"},
                      Stored{kTorchAo, "float8dq-row"}, Stored{kTorchAo, "float8dq-tensor"},
                      Stored{kTorchAo, "float8dq-tensor:rest=fp32"}));

TEST(RoundTrips, AreOfEverySchemeThatStoresParts)
{
    for (const core::SchemeSpec& spec : core::schemeRegistry().specs()) {
        if (!spec.stored)
            continue;
        const auto& all = ownCases();
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Stored& each) {
            return core::parseScheme(each.precision).value()->name == spec.name;
        })) << spec.name;
    }
}

// What a format cannot say would be lost without a word.
TEST_F(Quantizing, OptionsThatAFormatCannotSayAreRefused)
{
    const std::vector<Stored> all{{kTorchAo, "int8dq:by=division"},
                                  {kTorchAo, "int8dq:rule=reduced"},
                                  {kTorchAo, "int8sq:by=division:samples=2"},
                                  {kTorchAo, "int8-static:samples=2"},
                                  {kTorchAo, "int4wo-32"},
                                  {kTorchAo, "float8dq-row:scale=float32"},
                                  {kTorchAo, "float8dq-tensor:by=reciprocal"},
                                  {kTorchAo, "int8wo:rest=autocast"},
                                  {kTorchAo, "int8wo", "", "resnet:18/10"},
                                  {kPacked, "int8wo:rest=autocast"},
                                  {kPacked, "gptq-int4-128:tail=1:samples=2"},
                                  {kPacked, "int8dq"}};
    for (const Stored& each : all) {
        const core::Status status = write(each.model, each.precision, each.format);
        ASSERT_FALSE(status.ok()) << each.precision;
        EXPECT_EQ(status.error().code, core::ErrorCode::Unsupported) << each.precision;
        EXPECT_TRUE(std::filesystem::is_empty(written())) << each.precision;
    }
}

core::FloatArray outputOf(const std::string& reference, const std::string& precision,
                          const core::HostTensors& inputs)
{
    tests::FamilyPipeline made(reference, {2, {{"image_size", kSize}}}, inputs, precision);
    made.pipeline().run();
    return made.pipeline().output();
}

class WrittenPrograms : public Quantizing, public ::testing::WithParamInterface<const char*>
{
};

// One program for each stage; joined, they are the model.
TEST_P(WrittenPrograms, GiveTheOutputsOfTheQuantizedModel)
{
    const c10::InferenceMode guard;
    const std::string precision = GetParam();
    ASSERT_TRUE(write(kVitok, precision, CheckpointFormat::QuantScope).ok());
    const core::Status status = write(kVitok, precision, CheckpointFormat::ExportedProgram);
    ASSERT_TRUE(status.ok()) << status.error().message;

    const auto opened = core::openModel(kVitok, {}, 42);
    const core::ModelFamily& family = *opened.value().model.family;
    const core::ShapePoint point{2, {{"image_size", kSize}}};
    std::vector<core::Graph> graphs;
    for (std::size_t stage = 0; stage < family.stages().size(); ++stage)
        graphs.push_back(family.buildStage(stage, point, core::DType::BFloat16).value());
    const core::HostTensors inputs =
        core::generateInputs(family.workload(), {&graphs[0], &graphs[1]}, 7, point.batch);
    const core::FloatArray expected =
        outputOf((written() / "model.safetensors").string(), precision, inputs);
    const core::FloatArray got =
        outputOf((written() / "encoder.pt2").string() + "+decoder.pt2", "bf16", inputs);
    EXPECT_FALSE(expected.values.empty());
    EXPECT_EQ(got.shape, expected.shape);
    EXPECT_EQ(got.values, expected.values);
}

INSTANTIATE_TEST_SUITE_P(Schemes, WrittenPrograms,
                         ::testing::Values("int8wo", "int8dq", "int8sq:samples=2",
                                           "int8-static:samples=2", "float8wo", "float8dq-row",
                                           "int4wo-32", "gptq-int4-32:samples=2",
                                           "gptq-int4-32:order=group:samples=2"));

struct Damage {
    const char* name;
    std::string precision;
    CheckpointFormat format;
    std::function<void(EditedSafetensors&, const std::string& weight)> act;
    std::string part;  // what the error names, behind the weight

    friend void PrintTo(const Damage& each, std::ostream* stream) { *stream << each.name; }
};

class DamagedCheckpoint : public Quantizing, public ::testing::WithParamInterface<Damage>
{
};

// Of a file whose header is sound: what its contents have to be is known with the scheme.
TEST_P(DamagedCheckpoint, IsRefusedByFileAndTensor)
{
    const Damage& damage = GetParam();
    ASSERT_TRUE(write(kVitok, damage.precision, damage.format).ok());
    const std::filesystem::path path = written() / "model.safetensors";
    EditedSafetensors edited = EditedSafetensors::read(path);
    const std::string weight = "decoder.decoder_blocks.1.attn.qkv_proj.weight";
    damage.act(edited, weight);
    edited.write(path);
    std::string readAs = damage.precision;
    if (damage.format == kPacked)
        readAs = readAs.substr(0, readAs.find(":samples"));
    const auto result = outputs(again(kVitok, readAs));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, core::ErrorCode::Format) << result.error().message;
    EXPECT_THAT(result.error().message, HasSubstr(path.string()));
    EXPECT_THAT(result.error().message, HasSubstr("decoder_blocks.1.attn.qkv_proj.weight"));
    EXPECT_THAT(result.error().message, HasSubstr(damage.part));
}

Damage groups(const char* name, CheckpointFormat format, std::int32_t column, std::int32_t group)
{
    const std::string part = format == kPacked ? "_g_idx" : ":group";
    return {name, "gptq-int4-32:order=group:samples=2", format,
            [=](EditedSafetensors& file, const std::string& weight) {
                for (std::size_t i = 0; i < 2; ++i)
                    file.put(weight + part, static_cast<std::size_t>(column) + i, group);
            },
            part};
}

Damage without(const char* name, const char* precision, const char* part)
{
    return {name, precision, CheckpointFormat::QuantScope,
            [part](EditedSafetensors& file, const std::string& weight) {
                file.tensors.erase(weight + part);
            },
            part};
}

Damage other(const char* name, const char* precision, const char* part, core::StoredType type,
             std::vector<std::uint64_t> shape)
{
    return {name, precision, CheckpointFormat::QuantScope,
            [=](EditedSafetensors& file, const std::string& weight) {
                file.add(weight + part, type, shape);
            },
            part};
}

Damage said(const char* name, const char* scheme)
{
    return {name, "int8wo", CheckpointFormat::QuantScope,
            [scheme](EditedSafetensors& file, const std::string& weight) {
                std::string& text = file.metadata.at("schemes");
                const std::string entry = "\"" + weight + "\":\"int8wo\"";
                text.replace(text.find(entry), entry.size(),
                             "\"" + weight + "\":\"" + scheme + "\"");
            },
            scheme};
}

INSTANTIATE_TEST_SUITE_P(
    Contents, DamagedCheckpoint,
    ::testing::Values(
        groups("a group beyond the last", CheckpointFormat::QuantScope, 3, 2),
        groups("a negative group", CheckpointFormat::QuantScope, 3, -1),
        groups("a group beyond the last, packed", kPacked, 3, 1'000'000),
        Damage{"a group that is too long, packed", "gptq-int4-32:order=group:samples=2", kPacked,
               [](EditedSafetensors& file, const std::string& weight) {
                   for (std::size_t i = 0; i < 33; ++i)
                       file.put(weight + "_g_idx", i, std::int32_t{0});
               },
               "_g_idx"},
        without("no codes", "int8wo", ":codes"), without("no scale", "int8wo", ":scale"),
        without("no zero", "int4wo-32", ":zero"),
        without("no factors", "int8sq:samples=2", ":smooth"),
        other("codes of bytes", "int8wo", ":codes", core::StoredType::U8, {192, 64}),
        other("codes of 64 bits", "int8wo", ":codes", core::StoredType::I64, {192, 64}),
        other("floats of another kind", "float8wo", ":codes", core::StoredType::F8_E5M2, {192, 64}),
        other("too few codes", "int8wo", ":codes", core::StoredType::I8, {192, 32}),
        other("one scale", "int8wo", ":scale", core::StoredType::F32, {1, 1}),
        other("a narrow scale", "int8wo", ":scale", core::StoredType::BF16, {192, 1}),
        said("unknown scheme", "int7wo"), said("scheme without parts", "bf16")));

}  // namespace
}  // namespace qs::engine
