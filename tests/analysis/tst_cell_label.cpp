#include "core/analysis/cell_label.h"

#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <set>
#include <string>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::addRow;
using tests::runOf;

TEST(CellLabels, NameWhatAlwaysCountsAndNoMoreWhereNothingElseDiffers)
{
    RunData data = runOf({{.id = "a"}, {.id = "b", .precision = "int8dq", .batch = 4}});
    data.plan.cells.push_back(data.plan.cells[0]);
    data.plan.cells.back().rerun = 1;
    const CellLabels labels = distinguish(data.plan.cells);
    EXPECT_EQ(labels.of(data.plan.cells[0]), "bf16 · eager");
    EXPECT_EQ(labels.of(data.plan.cells[1]), "int8dq · eager");
    EXPECT_EQ(labels.withBatch(data.plan.cells[1]), "int8dq · eager · batch 4");
    EXPECT_EQ(labels.of(data.plan.cells[2]), "bf16 · eager · again");
    EXPECT_EQ(labels.shared(), "m · cpu · 256 px");
}

TEST(CellLabels, SayNothingOfSizesThatAreOff)
{
    RunData data = runOf({{.id = "a"}, {.id = "b"}, {.id = "c"}});
    for (PlannedCell& cell : data.plan.cells) {
        cell.config.sizes.set("image_height", 0);
        cell.config.sizes.set("attention_window", 0);
    }
    EXPECT_EQ(distinguish(data.plan.cells).shared(), "m · cpu · 256 px");
    data.plan.cells[1].config.sizes.set("image_height", 44);
    data.plan.cells[2].config.sizes.set("image_height", 44);
    data.plan.cells[2].config.sizes.set("attention_window", 8);
    const CellLabels labels = distinguish(data.plan.cells);
    EXPECT_EQ(labels.of(data.plan.cells[0]), "bf16 · eager");
    EXPECT_EQ(labels.of(data.plan.cells[1]), "bf16 · eager · 44 rows");
    EXPECT_EQ(labels.of(data.plan.cells[2]), "bf16 · eager · 44 rows · 8 tokens each way");
    EXPECT_EQ(labels.sample(data.plan.cells[0]), "usual sizes");
    EXPECT_EQ(labels.sample(data.plan.cells[1]), "44 rows");
}

// The plan gives cells of bf16 the usual filter, whatever the sweep has.
TEST(CellLabels, SayNothingOfAFilterOfWhatQuantizesNothing)
{
    RunData data = runOf({{.id = "a"}, {.id = "b", .precision = "int8dq"}});
    data.plan.cells[1].config.layers = "mlp";
    CellLabels labels = distinguish(data.plan.cells);
    EXPECT_EQ(labels.of(data.plan.cells[0]), "bf16 · eager");
    EXPECT_EQ(labels.of(data.plan.cells[1]), "int8dq · eager");
    data.plan.cells.push_back(data.plan.cells[1]);
    data.plan.cells.back().config.layers = "all";
    labels = distinguish(data.plan.cells);
    EXPECT_EQ(labels.of(data.plan.cells[0]), "bf16 · eager");
    EXPECT_EQ(labels.of(data.plan.cells[1]), "int8dq · eager · layers mlp");
    EXPECT_EQ(labels.of(data.plan.cells[2]), "int8dq · eager · layers all");
}

// One axis after the other, and all of them together: no two cells have one name.
TEST(CellLabels, TellCellsApartByEveryAxis)
{
    const std::vector<std::pair<std::function<void(CellConfig&)>, const char*>> axes{
        {[](CellConfig& config) { config.sizes.set("image_size", 512); }, "512 px"},
        {[](CellConfig& config) { config.model = "demo"; }, "demo"},
        {[](CellConfig& config) { config.device = "cuda:0"; }, "cuda:0"},
        {[](CellConfig& config) { config.layers = "mlp"; }, "layers mlp"},
        {[](CellConfig& config) { config.attention = "flash"; }, "attention flash"},
        {[](CellConfig& config) { config.inputs = "pinned"; }, "inputs pinned"},
        {[](CellConfig& config) { config.seed = 7; }, "seed 7"},
        {[](CellConfig& config) { config.batch = 2; }, "batch 2"},
        {[](CellConfig& config) { config.compile = "cuda-graph"; }, "cuda-graph"},
        {[](CellConfig& config) {
             config.precision = {"bf16", "int8dq"};
         },
         "bf16/int8dq"},
    };
    // Of bf16 a layer filter would be no difference.
    RunData all = runOf({{.id = "a", .precision = "int8dq"}});
    for (const auto& [change, word] : axes) {
        RunData data =
            runOf({{.id = "a", .precision = "int8dq"}, {.id = "b", .precision = "int8dq"}});
        change(data.plan.cells[1].config);
        const CellLabels labels = distinguish(data.plan.cells);
        EXPECT_THAT(labels.withBatch(data.plan.cells[1]), HasSubstr(word));
        EXPECT_NE(labels.withBatch(data.plan.cells[0]), labels.withBatch(data.plan.cells[1]));
        all.plan.cells.push_back(data.plan.cells[1]);
    }
    const CellLabels labels = distinguish(all.plan.cells);
    std::set<std::string> names;
    for (const PlannedCell& cell : all.plan.cells)
        names.insert(labels.withBatch(cell));
    EXPECT_EQ(names.size(), all.plan.cells.size());
}

TEST(CellLabels, StandInEveryReport)
{
    RunData data = runOf({{.id = "a"}, {.id = "b"}, {.id = "c", .batch = 2}});
    data.plan.cells[1].config.seed = 7;
    for (const PlannedCell& cell : data.plan.cells) {
        for (int round = 0; round < 3; ++round)
            addRow(data, cell.id, round, {0.1, 0.2}).result.notes = {
                {NoteCode::Remark, {"a note"}}};
    }
    const Analysis analysis = analyse(data, "best-bf16");
    const std::string markdown = summaryMarkdown(data, analysis);
    for (const char* section : {"## Samples", "## Memory", "## Notes", "## Batch limits"}) {
        const std::size_t begin = markdown.find(section);
        ASSERT_NE(begin, std::string::npos) << section;
        const std::string text = markdown.substr(begin, markdown.find("\n## ", begin + 1) - begin);
        EXPECT_THAT(text, HasSubstr("seed 42")) << section;
        if (std::string_view(section) != "## Batch limits") {
            EXPECT_THAT(text, HasSubstr("seed 7")) << section;
        }
    }
    EXPECT_THAT(cellsCsv(data, analysis, true), HasSubstr("bf16 · eager · seed 7 · batch 1,b,e1,"));
    const Json cell = reportJson(data, analysis).at("cells").at(1);
    EXPECT_EQ(cell.at("label"), "bf16 · eager · seed 7 · batch 1");
    EXPECT_EQ(cell.at("environment"), "e1");
}

}  // namespace
}  // namespace qs::core
