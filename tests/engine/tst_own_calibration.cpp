// A calibration set of one's own, and entries of the cache that come from elsewhere, as cells see
// them.

#include "core/base/npy.h"
#include "core/engine/cell_runner.h"
#include "core/engine/quantize/calibration_cache.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

class OwnSet : public ::testing::Test
{
protected:
    // With a set of the same pictures that it is judged on.
    core::CellRequest request(const std::string& precision)
    {
        core::CellRequest request =
            tests::smallCell(m_folder.path(), "vitok:w64_d1_h2-w64_d2_h2/1x8x16", 4, 32);
        request.config.precision = {precision};
        request.calibration.pictures.source = "of no matter: the copies are read";
        request.calibrationFolder = "own";
        fs::create_directories(m_folder / "own");
        fs::copy_file(m_folder / "pictures.npy", m_folder / "own/pictures_32.npy",
                      fs::copy_options::overwrite_existing);
        return request;
    }
    static core::Result<core::CellResult> run(const core::CellRequest& request)
    {
        CellRunner runner;
        tests::SilentObserver observer;
        return runner.run(request, observer);
    }
    static core::CellResult measured(const core::CellRequest& request)
    {
        auto result = run(request);
        EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
        return result.ok() ? std::move(result).value() : core::CellResult();
    }

    tests::TestFolder m_folder;
};

TEST_F(OwnSet, OfTheInputsOfTheRunGivesTheSameBits)
{
    for (const char* scheme :
         {"int8-static:samples=3", "int8sq:samples=3", "gptq-int4-32:samples=3:tail=1"}) {
        SCOPED_TRACE(scheme);
        const auto own = measured(request(std::string(scheme) + ":set=own"));
        EXPECT_EQ(tests::outputHashes(own),
                  tests::outputHashes(measured(request(std::string(scheme) + ":set=inputs"))));
        EXPECT_NE(tests::outputHashes(own), tests::outputHashes(measured(request(scheme))));
        ASSERT_FALSE(own.calibration.empty());
        EXPECT_EQ(own.calibration[0].set, "own");
        EXPECT_EQ(own.calibration[0].samples, 3);
    }
}

TEST_F(OwnSet, TakesOtherSamplesWithAnotherSeed)
{
    const auto first = tests::outputHashes(measured(request("int8sq:samples=2:set=own")));
    EXPECT_NE(tests::outputHashes(measured(request("int8sq:samples=2:set=own:seed=1"))), first);
    // Of all of them each seed takes the same, and maxima do not ask for their order.
    const auto all = tests::outputHashes(measured(request("int8sq:samples=4:set=own")));
    EXPECT_EQ(tests::outputHashes(measured(request("int8sq:samples=4:set=own:seed=1"))), all);
}

TEST_F(OwnSet, IsNeededAndLargeEnough)
{
    const auto tooFew = run(request("int8sq:samples=5:set=own"));
    ASSERT_FALSE(tooFew.ok());
    EXPECT_EQ(tooFew.error().code, core::ErrorCode::InvalidArgument);
    EXPECT_THAT(tooFew.error().message, HasSubstr("needs 5 samples; its set has 4"));
    core::CellRequest none = request("int8sq:samples=2:set=own");
    none.calibration = {};
    EXPECT_FALSE(run(none).ok());
    core::CellRequest other = request("int8sq:samples=2:set=own");
    fs::copy_file(m_folder / "pictures.npy", m_folder / "own/pictures_64.npy");
    other.config.sizes.set("image_size", 64);
    EXPECT_FALSE(run(other).ok()) << "images of another size";
}

TEST_F(OwnSet, OtherPicturesAreAnotherEntryOfTheCache)
{
    core::CellRequest cached = request("int8sq:samples=3:set=own");
    cached.cacheFolder = m_folder / "cache";
    const auto made = measured(cached);
    EXPECT_FALSE(made.calibration.at(0).fromCache);
    EXPECT_TRUE(measured(cached).calibration.at(0).fromCache);
    core::FloatArray pictures = core::readNpyEntries(cached.calibrationPictures(), 0, 4).value();
    for (float& value : pictures.values)
        value *= 0.5F;
    ASSERT_TRUE(core::writeNpy(cached.calibrationPictures(), pictures).ok());
    const auto other = measured(cached);
    EXPECT_FALSE(other.calibration.at(0).fromCache);
    EXPECT_NE(other.calibration.at(0).content, made.calibration.at(0).content);
}

// They reach the decoder through an encoder that was calibrated with them, be its own samples
// generated or fewer.
TEST_F(OwnSet, OtherPicturesOfAnEarlierStageAreAnotherEntryOfTheCache)
{
    for (const char* decoder : {"gptq-int4-32:samples=3:tail=1", "int8sq:samples=2:set=own"}) {
        SCOPED_TRACE(decoder);
        core::CellRequest cached = request("int8sq:samples=4:set=own");
        cached.config.precision.emplace_back(decoder);
        cached.cacheFolder = m_folder / "cache";
        const auto made = measured(cached);
        ASSERT_EQ(made.calibration.size(), 2U);
        core::FloatArray pictures =
            core::readNpyEntries(cached.calibrationPictures(), 0, 4).value();
        for (std::size_t i = pictures.values.size() / 2; i < pictures.values.size(); ++i)
            pictures.values[i] *= 0.5F;  // of the last two
        ASSERT_TRUE(core::writeNpy(cached.calibrationPictures(), pictures).ok());
        const auto other = measured(cached);
        EXPECT_FALSE(other.calibration.at(1).fromCache);
        EXPECT_NE(other.calibration.at(1).content, made.calibration.at(1).content);
    }
}

// Whole, with the hash that its header says, and made up by somebody else.
TEST_F(OwnSet, EntriesThatDoNotFitAreMadeAnew)
{
    const c10::InferenceMode guard;
    for (const char* scheme : {"int8sq:samples=3:set=own", "gptq-int4-32:samples=3:tail=1"}) {
        SCOPED_TRACE(scheme);
        core::CellRequest cached = request(scheme);
        cached.cacheFolder = m_folder / "cache";
        const auto made = measured(cached);
        const std::string content = made.calibration.at(0).content;
        const CalibrationCache cache(m_folder / "cache/calibration");
        const StageFindings whole = cache.find(content, tests::kCpu).value();
        StageFindings lacking = whole;
        lacking.tensors.erase(lacking.tensors.begin());
        StageFindings larger = whole;
        for (auto& [name, tensor] : larger.tensors)
            tensor = at::zeros({3, 5, 7}, tensor.options());
        StageFindings foreign;
        foreign.tensors = {{"x", at::tensor({1.0F})}};
        for (const StageFindings& wrong : {lacking, larger, foreign}) {
            cache.add(content, wrong);
            const auto again = measured(cached);
            EXPECT_FALSE(again.calibration.at(0).fromCache);
            EXPECT_EQ(tests::outputHashes(again), tests::outputHashes(made));
            EXPECT_TRUE(measured(cached).calibration.at(0).fromCache) << "and replaced";
        }
    }
}

}  // namespace
}  // namespace qs::engine
