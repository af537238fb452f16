// That PyTorch loads and runs what is written is proved by tests/oracle/test_written_archives.py.

#include "core/graph/exported/program_writer.h"

#include "core/base/json.h"
#include "core/base/zip_archive.h"
#include "core/graph/builder.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <limits>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::TestFolder;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 20U;
const TensorType kPair{DType::Float32, {2, 2}};

std::string entry(const TestFolder& folder, const std::string& name)
{
    const ZipArchive archive = ZipArchive::open(folder / "a.pt2").value();
    const ZipEntry* found = archive.find("program/" + name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? "" : archive.read(*found, kLimit).value();
}

Graph smallGraph(const std::string& weight = "fc.weight")
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", kPair);
    const ModuleScope scope(builder, "fc");
    const ValueId y = builder.linear(x, builder.weight(weight, kPair));
    builder.output(builder.scalar("add", y, -std::numeric_limits<double>::infinity()), "y");
    return builder.finish().value();
}

TEST(ProgramWriter, WeightsAreStreamedIntoEntriesOfTheirOwn)
{
    const TestFolder folder;
    const Graph graph = smallGraph();
    const std::string bytes = "0123456789abcdef";
    const WeightBytes weights = [&](const Value& value, const TextSink& sink) {
        EXPECT_EQ(value.name, "fc.weight");
        return sink(bytes);
    };
    ASSERT_TRUE(writeExportedProgram({graph, "cpu", weights}, folder / "a.pt2").ok());
    const Json config =
        Json::parse(entry(folder, "data/weights/model_weights_config.json"))["config"]["fc.weight"];
    EXPECT_EQ(config["tensor_meta"]["dtype"], 7);
    EXPECT_EQ(entry(folder, "data/weights/" + config["path_name"].get<std::string>()), bytes);
}

TEST(ProgramWriter, InfinityIsWrittenAsTorchWritesIt)
{
    const TestFolder folder;
    ASSERT_TRUE(writeExportedProgram({smallGraph()}, folder / "a.pt2").ok());
    EXPECT_THAT(entry(folder, "models/model.json"), HasSubstr("\"as_float\":\"-Infinity\""));
}

TEST(ProgramWriter, TheSameProgramGivesTheSameBytes)
{
    const TestFolder folder;
    ASSERT_TRUE(writeExportedProgram({smallGraph()}, folder / "a.pt2").ok());
    ASSERT_TRUE(writeExportedProgram({smallGraph()}, folder / "b.pt2").ok());
    EXPECT_EQ(tests::readFile(folder / "a.pt2"), tests::readFile(folder / "b.pt2"));
}

TEST(ProgramWriter, StatesBeginAsTheyShouldAndFactoriesNameTheirDevice)
{
    const TestFolder folder;
    GraphBuilder builder;
    const ValueId x = builder.input("class", kPair);
    const ValueId count = builder.state("count", kPair, -1.0);
    const ValueId zeros = builder.call1(
        "aten::zeros", {{"size", std::vector<std::int64_t>{2, 2}}, {"dtype", DType::Float32}});
    static_cast<void>(builder.addInPlace(count, x));
    builder.output(builder.binary("add", zeros, count), "y");
    ASSERT_TRUE(writeExportedProgram({builder.finish().value(), "cuda"}, folder / "a.pt2").ok());
    const std::string model = entry(folder, "models/model.json");
    EXPECT_THAT(model, HasSubstr("\"as_device\":{\"index\":null,\"type\":\"cuda\"}"));
    EXPECT_THAT(model, testing::Not(HasSubstr("\"class\""))) << "a word of Python is no name";
    const std::string state = entry(folder, "data/weights/weight_0");
    const float begin = -1.0F;
    ASSERT_EQ(state.size(), 16U);
    EXPECT_EQ(std::memcmp(state.data() + 12, &begin, 4), 0);
}

TEST(ProgramWriter, OperationsOfOursAndNamesInsideTensorsAreRefused)
{
    const TestFolder folder;
    Graph ours = smallGraph();
    ours.nodes[0].operation = findOperation(kQsLinear);
    const Status status = writeExportedProgram({ours}, folder / "a.pt2");
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.error().message, HasSubstr("qs::linear in module fc"));

    GraphBuilder builder;
    const ValueId x = builder.input("x", kPair);
    const ValueId y = builder.linear(x, builder.weight("a", kPair));
    builder.output(builder.linear(y, builder.weight("a.b", kPair)), "y");
    const Graph nested = builder.finish().value();
    EXPECT_FALSE(writeExportedProgram({nested}, folder / "a.pt2").ok());
    for (const char* name : {"", ".a", "a.", "a..b"})
        EXPECT_FALSE(writeExportedProgram({smallGraph(name)}, folder / "a.pt2").ok()) << name;
    EXPECT_FALSE(std::filesystem::exists(folder / "a.pt2"));
}

TEST(ProgramWriter, WeightsThatCannotBeReadLeaveNoFile)
{
    const TestFolder folder;
    const WeightBytes failing = [](const Value&, const TextSink&) -> Status {
        return Error{ErrorCode::Io, "gone"};
    };
    EXPECT_FALSE(writeExportedProgram({smallGraph(), "cpu", failing}, folder / "a.pt2").ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "a.pt2"));
}

}  // namespace
}  // namespace qs::core
