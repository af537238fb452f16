// Archives of our own writer, and hostile ones made by hand: each is refused with a reason,
// quickly, and nothing of it is loaded.

#include "core/graph/exported/exported_archive.h"

#include "core/base/json.h"
#include "core/graph/builder.h"
#include "core/graph/exported/concrete_graph.h"
#include "core/graph/exported/program_writer.h"
#include "tests/support/raw_zip.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace qs::core::exported {
namespace {

using testing::HasSubstr;
using tests::RawZip;
using tests::rawZip;
using tests::RawZipEntry;
using tests::TestFolder;

Graph sampleGraph()
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", {DType::Float32, {2, 3}});
    const ModuleScope scope(builder, "fc");
    const ValueId w = builder.weight("fc.weight", {DType::Float32, {4, 3}});
    const ValueId y = builder.linear(x, w, builder.weight("fc.bias", {DType::Float32, {4}}));
    const std::vector<ValueId> parts = builder.chunk(builder.scalar("mul", y, 0.5), 2, 1);
    builder.output(parts[0], "left");
    builder.output(builder.concatenate({parts[1], parts[0]}, -1), "turned");
    return builder.finish().value();
}

Status zeros(const Value& weight, const TextSink& sink)
{
    return sink(std::string(static_cast<std::size_t>(weight.type.bytes()), '\0'));
}

TEST(ExportedArchive, WhatOurWriterWroteIsTheSameGraph)
{
    const TestFolder folder;
    const Graph graph = sampleGraph();
    ASSERT_TRUE(writeExportedProgram({graph, "cpu", zeros}, folder / "a.pt2").ok());
    EXPECT_TRUE(isExportedArchive(folder / "a.pt2"));
    const auto archive = openExportedArchive(folder / "a.pt2");
    ASSERT_TRUE(archive.ok()) << archive.error().message;
    ASSERT_EQ(archive.value().tensors.size(), 2U);
    const TensorSlice& slice = archive.value().tensors.at("fc.weight");
    EXPECT_EQ(toText(slice.type), "float32[4, 3]");
    EXPECT_EQ(slice.bytes, 48U);
    EXPECT_EQ(slice.offset % 64, 0U);
    ProgramTensors tensors;
    for (const auto& [name, each] : archive.value().tensors)
        tensors[name] = {name, each.type, true};
    const Graph read = concreteGraph({archive.value().program, tensors, DType::Float32,
                                      DType::Float32, SymbolValues()})
                           .value();
    ASSERT_EQ(read.nodes.size(), graph.nodes.size());
    for (std::size_t i = 0; i < read.nodes.size(); ++i) {
        EXPECT_EQ(read.nodes[i].operation, graph.nodes[i].operation);
        EXPECT_EQ(read.nodes[i].module, graph.nodes[i].module);
        EXPECT_EQ(read.value(read.nodes[i].outputs[0]).type,
                  graph.value(graph.nodes[i].outputs[0]).type);
    }
}

TEST(ExportedArchive, AnArchiveOfShapesAloneHasNoWeights)
{
    const TestFolder folder;
    ASSERT_TRUE(writeExportedProgram({sampleGraph()}, folder / "a.pt2").ok());
    const auto archive = openExportedArchive(folder / "a.pt2");
    ASSERT_FALSE(archive.ok());
    EXPECT_THAT(archive.error().message, HasSubstr("beyond its content"));
}

// The entries of a good archive, to be damaged.
class Parts
{
public:
    Parts()
    {
        const TestFolder folder;
        EXPECT_TRUE(writeExportedProgram({sampleGraph(), "cpu", zeros}, folder / "a.pt2").ok());
        // All of its entries are stored: the reader of zip files finds them.
        const std::string bytes = tests::readFile(folder / "a.pt2");
        const ExportedArchive archive = openExportedArchive(folder / "a.pt2").value();
        m_entries["models/model.json"] = cut(bytes, "{\"graph_module\"");
        m_entries["data/weights/model_weights_config.json"] = cut(bytes, "{\"config\":{\"fc");
        m_entries["data/constants/model_constants_config.json"] = R"({"config":{}})";
        m_entries["data/weights/weight_0"] = std::string(48, '\0');
        m_entries["data/weights/weight_1"] = std::string(16, '\0');
        m_entries["archive_format"] = "pt2";
        m_entries["byteorder"] = "little";
    }

    std::string& operator[](const std::string& name) { return m_entries[name]; }
    void erase(const std::string& name) { m_entries.erase(name); }
    // Replaces the first occurrence in an entry.
    void replace(const std::string& name, const std::string& from, const std::string& to)
    {
        std::string& text = m_entries.at(name);
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
    }

    [[nodiscard]] std::string zip(const std::string& packed = {}) const
    {
        RawZip zip;
        for (const auto& [name, content] : m_entries)
            zip.entries.push_back(
                {.name = "model/" + name, .content = content, .deflated = name == packed});
        return rawZip(zip);
    }

private:
    // The JSON document that begins so.
    static std::string cut(const std::string& bytes, const std::string& begin)
    {
        const auto at = bytes.find(begin);
        EXPECT_NE(at, std::string::npos);
        int depth = 0;
        for (auto i = at; i < bytes.size(); ++i) {
            depth += bytes[i] == '{' ? 1 : bytes[i] == '}' ? -1 : 0;
            if (depth == 0)
                return bytes.substr(at, i - at + 1);
        }
        return {};
    }

    std::map<std::string, std::string> m_entries;
};

Result<ExportedArchive> opened(const std::string& bytes)
{
    const TestFolder folder;
    tests::writeFile(folder / "a.pt2", bytes);
    return openExportedArchive(folder / "a.pt2");
}

std::string complaint(const std::string& bytes)
{
    const auto archive = opened(bytes);
    EXPECT_FALSE(archive.ok());
    return archive.ok() ? std::string() : archive.error().message;
}

TEST(ExportedArchive, PartsMadeByHandAreAnArchive)
{
    const auto archive = opened(Parts().zip());
    ASSERT_TRUE(archive.ok()) << archive.error().message;
    EXPECT_TRUE(opened(Parts().zip("models/model.json")).ok()) << "text may be packed";
}

TEST(ExportedArchive, PicklesAreNeverRead)
{
    constexpr const char* kConfig = "data/weights/model_weights_config.json";
    const std::string evil = "\x80\x02"
                             "cos\nsystem\n(S'touch /tmp/run'\ntR.";
    Parts pickled;
    pickled.replace(kConfig, "\"use_pickle\":false", "\"use_pickle\":true");
    EXPECT_THAT(complaint(pickled.zip()), HasSubstr("pickle"));
    Parts odd;
    odd.replace(kConfig, "\"use_pickle\":false", "\"use_pickle\":\"no\"");
    EXPECT_THAT(complaint(odd.zip()), HasSubstr("pickle"));
    for (const char* name : {"data/weights/model.pt", "data/constants/model.pt"}) {
        Parts legacy;
        legacy[name] = evil;
        EXPECT_THAT(complaint(legacy.zip()), HasSubstr("save it anew with torch"));
    }
    RawZip old{{{.name = "serialized_exported_program.json", .content = "{}"},
                {.name = "serialized_state_dict.pt", .content = evil}}};
    EXPECT_THAT(complaint(rawZip(old)), HasSubstr("save it anew with torch"));
    // Examples are pickles as well, and nobody's business.
    Parts examples;
    examples["data/sample_inputs/model.pt"] = evil;
    EXPECT_TRUE(opened(examples.zip()).ok());
}

TEST(ExportedArchive, CompiledPackagesAreNoModels)
{
    RawZip package{{{.name = "data/aotinductor/model/a.wrapper.so",
                     .content = "\x7f"
                                "ELF"}}};
    EXPECT_THAT(complaint(rawZip(package)), HasSubstr("AOTInductor"));
    Parts both;
    both["data/aotinductor/model/a.cpp"] = "int main() {}";
    EXPECT_THAT(complaint(both.zip()), HasSubstr("AOTInductor"));
}

TEST(ExportedArchive, EntriesThatAreMissingOrWrongAreNamed)
{
    for (const char* name :
         {"models/model.json", "archive_format", "data/weights/model_weights_config.json",
          "data/constants/model_constants_config.json"}) {
        Parts parts;
        parts.erase(name);
        EXPECT_THAT(complaint(parts.zip()), HasSubstr(name));
    }
    Parts weight;
    weight.erase("data/weights/weight_1");
    EXPECT_THAT(complaint(weight.zip()), HasSubstr("has no content"));
    Parts big;
    big["byteorder"] = "big";
    EXPECT_THAT(complaint(big.zip()), HasSubstr("big-endian"));
    Parts format;
    format["archive_format"] = "pt3";
    EXPECT_THAT(complaint(format.zip()), HasSubstr("pt2"));
    EXPECT_THAT(complaint(Parts().zip("data/weights/weight_0")), HasSubstr("compressed"));
}

struct Damage {
    const char* entry;
    const char* from;
    const char* to;
};

class DamagedArchive : public testing::TestWithParam<Damage>
{
};

TEST_P(DamagedArchive, IsRefused)
{
    Parts parts;
    parts.replace(GetParam().entry, GetParam().from, GetParam().to);
    const std::string message = complaint(parts.zip());
    EXPECT_THAT(message, HasSubstr("a.pt2"));
}

constexpr const char* kModel = "models/model.json";
constexpr const char* kWeights = "data/weights/model_weights_config.json";

INSTANTIATE_TEST_SUITE_P(
    ExportedArchive, DamagedArchive,
    testing::Values(
        Damage{kModel, "\"major\":8", "\"major\":7"},
        Damage{kModel, "\"major\":8", "\"major\":\"8\""},
        Damage{kModel, "{\"graph_module\"", "{\"graph_module\":1,\"graph_module\""},
        Damage{kModel, "{\"graph_module\"", "[{\"graph_module\""},
        Damage{kModel, "\"as_float\":0.5", "\"as_float\":1e999"},
        Damage{kModel, "\"as_float\":0.5", "\"as_float\":\"half\""},
        Damage{kModel, "\"as_float\":0.5", "\"as_float\":0.5,\"as_int\":1"},
        Damage{kModel, "\"user_input\"", "\"custom_obj\""},
        Damage{kModel, "\"user_output\"", "\"loss_output\""},
        Damage{kModel, "\"target\":", "\"other\":"},
        Damage{kWeights, "\"path_name\":\"weight_", "\"path_name\":\"../weights/weight_"},
        Damage{kWeights, "\"path_name\":\"weight_", "\"path_name\":\"/etc/passwd"},
        Damage{kWeights, "\"dtype\":7", "\"dtype\":8"},
        Damage{kWeights, "\"dtype\":7", "\"dtype\":99"},
        Damage{kWeights, "\"layout\":7", "\"layout\":1"},
        Damage{kWeights, "\"as_int\":4", "\"as_int\":400000000"},
        Damage{kWeights, "\"as_int\":4", "\"as_int\":-4"},
        Damage{kWeights, "\"as_int\":4", "\"as_int\":9223372036854775807"},
        Damage{kWeights, "\"as_int\":4", "\"as_int\":1e3"},
        Damage{kWeights, "\"storage_offset\":{\"as_int\":0}", "\"storage_offset\":{\"as_int\":1}"},
        Damage{kWeights, "\"storage_offset\":{\"as_int\":0}", "\"storage_offset\":{\"as_int\":-1}"},
        Damage{kWeights, "\"strides\":[", "\"strides\":[{\"as_int\":1},"},
        Damage{kWeights, "\"strides\":[{\"as_int\":1", "\"strides\":[{\"as_int\":-1"},
        Damage{kWeights, "\"strides\":[{\"as_int\":1",
               "\"strides\":[{\"as_int\":4611686018427387904"}));

TEST(ExportedArchive, DeepJsonIsRefused)
{
    Parts parts;
    parts["models/model.json"] = std::string(1'000'000, '[');
    EXPECT_THAT(complaint(parts.zip()), HasSubstr("models/model.json"));
    Parts nested;
    std::string text;
    for (int i = 0; i < 100'000; ++i)
        text += "{\"a\":";
    nested["data/weights/model_weights_config.json"] = text;
    EXPECT_FALSE(opened(nested.zip()).ok());
}

TEST(ExportedArchive, ABombOfTextIsRefusedBeforeItIsUnpacked)
{
    Parts parts;
    parts["models/model.json"] = std::string(30'000'000, ' ');
    EXPECT_THAT(complaint(parts.zip("models/model.json")), HasSubstr("200 times"));
}

TEST(ExportedArchive, FilesThatAreNoZipAreNone)
{
    const TestFolder folder;
    tests::writeFile(folder / "a.bin", "PK");
    EXPECT_FALSE(isExportedArchive(folder / "a.bin"));
    EXPECT_FALSE(isExportedArchive(folder.path()));
    EXPECT_FALSE(isExportedArchive(folder / "nothing.pt2"));
    EXPECT_FALSE(openExportedArchive(folder / "a.bin").ok());
    EXPECT_EQ(openExportedArchive(folder / "nothing.pt2").error().code, ErrorCode::NotFound);
    tests::writeFile(folder / "zip.pt", rawZip({{{.name = "m/data.pkl", .content = "x"}}}));
    EXPECT_FALSE(isExportedArchive(folder / "zip.pt"));
}

}  // namespace
}  // namespace qs::core::exported
