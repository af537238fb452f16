#include "core/engine/weights/lay_out_weights.h"
#include "core/engine/weights/storage_audit.h"

#include "core/engine/weights/quantize_weights.h"
#include "core/model/catalogue.h"
#include "tests/engine/cpu_device.h"
#include "tests/support/image_shape.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::engine {
namespace {

using tests::kCpu;

using testing::IsEmpty;

constexpr const char* kLayer = "decoder_blocks.0.ffn.fc1.weight";

// The weights of a small model as a cell would have them, to be spoilt by a test.
class StorageAudit : public testing::Test
{
protected:
    void load(const std::string& scheme)
    {
        const auto everything = [](auto...) { return true; };
        m_recipe = core::makeRecipe(*m_model.family, {scheme}, "all").value();
        const auto program =
            core::lower(*m_model.family, {m_recipe, tests::imageShape(1, 32), {}}).value();
        WeightLoader loader = WeightLoader::create(m_model, kCpu).value();
        m_stages.clear();
        for (std::size_t stage = 0; stage < program.stages.size(); ++stage) {
            StageWeights weights =
                loader.load(stage, program.stages[stage].workingType, everything).value();
            ASSERT_TRUE(quantizeWeights(weights, program.stages[stage], kCpu, everything).ok());
            m_stages.push_back(std::move(weights));
        }
    }
    [[nodiscard]] AuditedWeight audited(const std::string& name) const
    {
        const auto all = auditStorage(*m_model.family, m_recipe, m_stages);
        const auto found = std::find_if(all.begin(), all.end(), [&](const AuditedWeight& each) {
            return each.name == "decoder/" + name;
        });
        return found == all.end() ? AuditedWeight() : *found;
    }
    [[nodiscard]] core::StorageReport report() const
    {
        return reportStorage(m_model, m_recipe, m_stages);
    }
    [[nodiscard]] at::Tensor& decoder(const std::string& name)
    {
        return m_stages.at(1).tensors[name];
    }

    c10::InferenceMode m_guard;
    core::Model m_model = core::openModel("vitok:w64_d1_h2-w48_d2_h3/1x8x16", "", 3).value().model;
    core::Recipe m_recipe;
    std::vector<StageWeights> m_stages;
};

// The formula of every scheme against what lies in memory, weight by weight.
TEST_F(StorageAudit, EverySchemeTakesTheBytesOfItsFormula)
{
    for (const core::Scheme& scheme : core::offeredSchemes()) {
        SCOPED_TRACE(scheme.text());
        if (scheme->statistic)
            continue;  // has to be calibrated first: see tst_calibration
        load(scheme.text());
        for (const AuditedWeight& each : auditStorage(*m_model.family, m_recipe, m_stages)) {
            EXPECT_EQ(each.fault, std::nullopt) << each.name;
            EXPECT_EQ(each.storageBytes, each.logicalBytes) << each.name;
        }
        const core::StorageReport report = this->report();
        EXPECT_EQ(report.logicalBytes, core::residentWeightBytes(*m_model.family, m_recipe));
        EXPECT_EQ(report.storageBytes, report.logicalBytes);
        EXPECT_EQ(report.storageBytes, residentBytes(m_stages));
        EXPECT_EQ(report.fileBytes, 0) << "generated weights come from no file";
        EXPECT_THAT(report.offenders, IsEmpty());
        EXPECT_GT(report.weights, 10);
    }
}

TEST_F(StorageAudit, NamesAView)
{
    load("bf16");
    at::Tensor& weight = decoder(kLayer);
    const std::int64_t own = audited(kLayer).storageBytes;
    weight = at::zeros({2 * weight.size(0), weight.size(1)}, weight.options())
                 .narrow(0, 0, weight.size(0));
    EXPECT_EQ(audited(kLayer).storageBytes, 2 * own);
    EXPECT_EQ(audited(kLayer).logicalBytes, own);
    EXPECT_EQ(audited(kLayer).fault, core::StorageFault::View);
    EXPECT_EQ(audited(kLayer).ownBytes, own);
    ASSERT_EQ(report().offenderCount, 1);
    EXPECT_EQ(report().offenders.front().weight, std::string("decoder/") + kLayer);
    EXPECT_EQ(report().storageBytes, report().logicalBytes + own);
}

TEST_F(StorageAudit, ListsTensorsThatAreLargeOrViews)
{
    load("bf16");
    EXPECT_THAT(largeTensors(*m_model.family, m_stages), IsEmpty());
    decoder("large") = at::zeros({core::StorageReport::kLargeBytes + 1}, at::kByte);
    decoder("other_name") = decoder("large");
    decoder("view") = at::zeros({10}, at::kByte).narrow(0, 0, 4);
    const auto found = largeTensors(*m_model.family, m_stages);
    ASSERT_EQ(found.size(), 2U) << "a tensor of two names is one";
    constexpr std::int64_t kLarge = core::StorageReport::kLargeBytes + 1;
    EXPECT_EQ(found[0], (core::LargeTensor{"decoder/large", kLarge, kLarge}));
    EXPECT_EQ(found[1], (core::LargeTensor{"decoder/view", 4, 10}));
}

TEST_F(StorageAudit, KnowsRowsThatWerePaddedForKernels)
{
    m_model = core::openModel("vitok:w64_d1_h2-w192_d2_h3/1x8x16", "", 3).value().model;
    load("int8wo");
    const std::string codes = std::string(kLayer) + ":codes";
    const at::Tensor before = decoder(codes).clone();
    ASSERT_EQ(before.size(1), 192);
    padRows(m_stages);
    EXPECT_TRUE(decoder(codes).equal(before));
    EXPECT_EQ(decoder(codes).stride(0), 256);
    EXPECT_EQ(paddingOf(decoder(codes)), 64 * before.size(0));
    EXPECT_EQ(audited(kLayer).fault, std::nullopt);
    EXPECT_THAT(report().offenders, IsEmpty());
    EXPECT_EQ(report().storageBytes, residentBytes(m_stages));
}

TEST_F(StorageAudit, NamesSharedStorageOnceInTheTotals)
{
    load("bf16");
    const std::string other = "decoder_blocks.1.ffn.fc1.weight";
    const std::int64_t own = audited(kLayer).storageBytes;
    decoder(other) = decoder(kLayer);
    EXPECT_EQ(audited(other).fault, core::StorageFault::Shared);
    EXPECT_EQ(audited(other).other, std::string("decoder/") + kLayer);
    EXPECT_EQ(audited(kLayer).fault, std::nullopt) << "the first owner is sound";
    EXPECT_EQ(report().storageBytes, report().logicalBytes - own);
}

TEST_F(StorageAudit, NamesAnExpandedTensor)
{
    load("bf16");
    at::Tensor& weight = decoder(kLayer);
    weight = at::zeros({1, weight.size(1)}, weight.options()).expand(weight.sizes());
    EXPECT_EQ(audited(kLayer).fault, core::StorageFault::Expanded);
    EXPECT_GT(audited(kLayer).ownBytes, audited(kLayer).storageBytes);
    EXPECT_LT(report().storageBytes, report().logicalBytes);
}

TEST_F(StorageAudit, NamesCodesInAWiderType)
{
    load("int8wo");
    at::Tensor& codes = decoder(std::string(kLayer) + ":codes");
    codes = codes.to(at::kInt);
    const AuditedWeight weight = audited(kLayer);
    EXPECT_EQ(weight.scheme, core::namedScheme("int8wo"));
    EXPECT_EQ(weight.storageBytes - weight.logicalBytes, 3 * codes.numel());
    EXPECT_EQ(weight.fault, core::StorageFault::WrongSize);
}

TEST_F(StorageAudit, NamesTheWeightThatWasLeftBehindAndTheOneThatIsMissing)
{
    load("float8wo");
    m_stages[1].tensors[kLayer] = at::empty({8, 8}, at::kBFloat16);
    const core::StorageReport report = this->report();
    ASSERT_EQ(report.offenderCount, 1);
    EXPECT_EQ(report.offenders[0].fault, core::StorageFault::LeftOver);
    EXPECT_EQ(report.offenders[0].storageBytes, 128);
    EXPECT_EQ(report.storageBytes, report.logicalBytes + 128);
    m_stages[1].tensors.erase(kLayer);
    m_stages[1].tensors.erase(std::string(kLayer) + ":scale");
    EXPECT_EQ(audited(kLayer).fault, core::StorageFault::Missing);
    EXPECT_EQ(audited(kLayer).other, kLayer + std::string(":scale"));
}

}  // namespace
}  // namespace qs::engine
