// The records of TransformerEngine's benchmark of selective compilation.
#include "core/report/profiles/export_profile.h"

#include "tests/analysis/analysis_data.h"
#include "tests/report/profile_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <utility>

namespace qs::core {
namespace {

using tests::contentOf;
using tests::valueOf;

// Eager, and in kernels of ours.
RunData fusedRun(const std::string& model)
{
    RunData data = tests::runOf({{.id = "eager"}, {.id = "fused", .compile = "fused"}}, 1);
    for (PlannedCell& cell : data.plan.cells)
        cell.config.model = model;
    for (const PlannedCell& cell : data.plan.cells)
        tests::addRow(data, cell.id, 0, {0.003});
    return data;
}

ProfileValue fieldOf(const RunData& data, const std::string& field)
{
    const ProfileContent content = contentOf("surgical-compile", data);
    EXPECT_EQ(content.tables.at(0).records.size(), 1U);
    return valueOf(content.tables.at(0).records.at(0), field);
}

TEST(SurgicalProfile, AttentionOfFusedCellsIsThatOfTheDocument)
{
    // "Tensor Ops %" of the document's table.
    const std::pair<const char*, double> shares[] = {
        {"te-llama:1b", 14.2}, {"te-llama:3b", 10.0}, {"te-llama:8b", 7.7}};
    for (const auto& [model, percent] : shares) {
        RunData data = fusedRun(model);
        EXPECT_NEAR(fieldOf(data, "tensor_ops_percent").value.get<double>(), percent, 0.05);
        for (PlannedCell& cell : data.plan.cells)
            cell.config.sizes.set("sequence", 1024);
        // a / (a + p) of half the a is x / (2 - x) of the x before.
        const double share = percent / 100.0;
        EXPECT_NEAR(fieldOf(data, "tensor_ops_percent").value.get<double>(),
                    100.0 * share / (2.0 - share), 0.05);
    }
    const ProfileValue none = fieldOf(fusedRun("rope:h32_x128"), "tensor_ops_percent");
    EXPECT_TRUE(none.value.is_null());
    EXPECT_FALSE(none.reason.empty());
}

// Without outputs, the run has what it found when it had them.
TEST(SurgicalProfile, DifferencesAreThoseThatTheRunRecorded)
{
    RunData data = fusedRun("te-llama:1b");
    EXPECT_TRUE(fieldOf(data, "max_diff").value.is_null());
    const std::string nothing = fieldOf(data, "allclose").reason;
    const auto record = [&](double difference) {
        data.qualities.clear();
        for (int sample = 0; sample < 2; ++sample) {
            OutputQuality& quality = tests::addQuality(data, "fused", kUncompiledId, sample, 0.5);
            quality.figures.clear();
            quality.set(kDifferenceFigure, sample == 0 ? difference : difference / 2.0);
        }
    };
    record(0.515625);
    EXPECT_EQ(fieldOf(data, "max_diff").value, 0.515625);
    const ProfileValue open = fieldOf(data, "allclose");
    EXPECT_TRUE(open.value.is_null()) << "a value of 515 may differ by that";
    EXPECT_FALSE(open.reason.empty());
    EXPECT_NE(open.reason, nothing);
    record(0.0009765625);
    EXPECT_EQ(fieldOf(data, "max_diff").value, 0.0009765625);
    EXPECT_EQ(fieldOf(data, "allclose").value, true) << "no value may differ by less";
}

TEST(SurgicalProfile, RecordsAreToldApart)
{
    RunData data = tests::runOf({{.id = "eager"},
                                 {.id = "fused", .compile = "fused"},
                                 {.id = "rope", .compile = "regions:rope"},
                                 {.id = "seed", .compile = "regions:rope"},
                                 {.id = "fp32", .precision = "fp32", .compile = "fused"},
                                 {.id = "batch", .compile = "fused", .batch = 4}},
                                1);
    for (PlannedCell& cell : data.plan.cells) {
        cell.config.model = "te-llama:1b";
        cell.config.seed = cell.id == "seed" ? 7 : 42;
    }
    const ProfileContent content = contentOf("surgical-compile", data);
    std::set<Json> names;
    for (const ProfileRecord& record : content.tables[0].records) {
        EXPECT_EQ(record.values().front().field, kRecordName);
        EXPECT_EQ(record.values().front().value, record.name()) << "as reasons.json calls it";
        names.insert(record.values().front().value);
    }
    EXPECT_EQ(names.size(), 5U);
}

}  // namespace
}  // namespace qs::core
