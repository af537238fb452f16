#include "core/engine/quantize/calibration_cache.h"

#include "core/base/sha256.h"
#include "core/engine/cell_runner.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace qs::engine {
namespace {

using tests::kCpu;

namespace fs = std::filesystem;

StageFindings example()
{
    StageFindings findings;
    findings.tensors = {
        {"a.weight:codes", at::arange(12, at::TensorOptions(at::kByte)).reshape({3, 4})},
        {"a.weight:scale", at::tensor({0.5F, 1.5F, -2.0F}).to(at::kBFloat16)},
        {"b.weight:statistic", at::tensor({3.25F})},
        {"c.weight:input_scale", at::tensor(7.5F).reshape({})},
        {"d.weight:group", at::arange(5, at::TensorOptions(at::kInt))}};
    findings.layers = {{"a", 0.25, 2, false}, {"b", 0.0, 0, true}};
    findings.seconds = 12.5;
    return findings;
}

bool same(const StageFindings& a, const StageFindings& b)
{
    if (a.layers != b.layers || a.seconds != b.seconds || a.tensors.size() != b.tensors.size())
        return false;
    for (const auto& [name, tensor] : a.tensors) {
        const auto other = b.tensors.find(name);
        if (other == b.tensors.end() || other->second.scalar_type() != tensor.scalar_type() ||
            !other->second.equal(tensor))
            return false;
    }
    return true;
}

std::string text(const fs::path& file)
{
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
}

class CalibrationCacheTest : public ::testing::Test
{
protected:
    [[nodiscard]] fs::path folder() const { return m_folder / "cache"; }
    [[nodiscard]] fs::path fileOf(const std::string& content) const
    {
        return folder() / (content + ".safetensors");
    }
    static std::string content(int number) { return core::sha256Hex(std::to_string(number)); }

    c10::InferenceMode m_guard;
    tests::TestFolder m_folder;
};

// A process that is killed while it writes leaves entries that are whole, or none.
TEST_F(CalibrationCacheTest, NothingHalfIsFoundOfAKilledProcess)
{
    StageFindings large = example();
    large.tensors["large.weight:codes"] =
        at::arange(std::int64_t{1} << 20, at::TensorOptions(at::kInt));
    for (int round = 0; round < 4; ++round) {
        const pid_t writer = ::fork();
        ASSERT_GE(writer, 0);
        if (writer == 0) {
            const CalibrationCache cache(folder());
            for (int i = 0;; ++i)
                cache.add(content(i % 8), large);
        }
        // It is in the middle of something once the entries of this round are there.
        while (!fs::exists(fileOf(content(round))))
            std::this_thread::yield();
        ::kill(writer, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(writer, &status, 0), writer);
        ASSERT_TRUE(WIFSIGNALED(status));
        const CalibrationCache cache(folder());
        for (int i = 0; i < 8; ++i) {
            const auto found = cache.find(content(i), kCpu);
            EXPECT_EQ(found.has_value(), fs::exists(fileOf(content(i)))) << i;
            EXPECT_TRUE(!found || same(*found, large)) << i;
        }
    }
}

TEST_F(CalibrationCacheTest, GivesBackWhatWasPutIn)
{
    const CalibrationCache cache(folder());
    EXPECT_FALSE(cache.find(content(1), kCpu).has_value());
    cache.add(content(1), example());
    const auto found = CalibrationCache(folder()).find(content(1), kCpu);
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(same(*found, example()));
    EXPECT_FALSE(cache.find(content(2), kCpu).has_value());
}

TEST_F(CalibrationCacheTest, WithoutAFolderItRemembersNothing)
{
    const CalibrationCache cache{fs::path()};
    cache.add(content(1), example());
    EXPECT_FALSE(cache.find(content(1), kCpu).has_value());
}

TEST_F(CalibrationCacheTest, DamagedEntriesAreNotThere)
{
    const CalibrationCache cache(folder());
    cache.add(content(1), example());
    const std::string whole = text(fileOf(content(1)));
    const auto found = [&](const std::string& bytes) {
        std::ofstream(fileOf(content(1)), std::ios::binary | std::ios::trunc) << bytes;
        return cache.find(content(1), kCpu).has_value();
    };
    EXPECT_TRUE(found(whole));
    for (std::size_t length = 0; length < whole.size(); length += 37)
        EXPECT_FALSE(found(whole.substr(0, length))) << length;
    // Any bit of the tensors, and of what is said of them.
    const std::size_t data = whole.size() - 12 - 6 - 4 - 4 - 20;
    for (std::size_t place = data; place < whole.size(); ++place) {
        std::string damaged = whole;
        damaged[place] = static_cast<char>(damaged[place] ^ 4);
        EXPECT_FALSE(found(damaged)) << place;
    }
    std::string other = whole;
    other.replace(other.find("12.5"), 4, "99.5");
    EXPECT_FALSE(found(other));
    // Of other content under this name.
    cache.add(content(2), example());
    EXPECT_FALSE(found(text(fileOf(content(2)))));
}

TEST_F(CalibrationCacheTest, WhatWasNotUsedForLongestGoesFirst)
{
    CalibrationCache(folder()).add(content(0), example());
    const std::uintmax_t bytes = fs::file_size(fileOf(content(0)));
    const CalibrationCache cache(folder(), 2 * bytes + bytes / 2);
    const auto now = fs::file_time_type::clock::now();
    cache.add(content(1), example());
    fs::last_write_time(fileOf(content(0)), now - std::chrono::hours(1));
    fs::last_write_time(fileOf(content(1)), now - std::chrono::hours(2));
    EXPECT_TRUE(cache.find(content(1), kCpu).has_value()) << "used just now";
    cache.add(content(2), example());
    EXPECT_FALSE(fs::exists(fileOf(content(0))));
    EXPECT_TRUE(fs::exists(fileOf(content(1))));
    EXPECT_TRUE(fs::exists(fileOf(content(2))));
}

// Each worker is a process of its own: a runner that has seen nothing.
core::CellResult measure(const core::CellRequest& request)
{
    CellRunner runner;
    tests::SilentObserver observer;
    auto result = runner.run(request, observer);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? std::move(result).value() : core::CellResult();
}

TEST_F(CalibrationCacheTest, ASecondWorkerFindsWhatTheFirstOneMade)
{
    core::CellRequest request =
        tests::smallCell(m_folder.path(), "vitok:w64_d1_h2-w64_d2_h2/1x8x16", 3, 32);
    request.cacheFolder = folder();
    for (const char* scheme : {"gptq-int4-32:samples=2:tail=1", "int8sq:samples=2"}) {
        SCOPED_TRACE(scheme);
        request.config.precision = {scheme};
        const core::CellResult made = measure(request);
        request.config.batch = 3;
        const core::CellResult found = measure(request);
        request.config.batch = 2;
        const core::CellResult again = measure(request);
        ASSERT_EQ(again.outputs.size(), made.outputs.size());
        for (std::size_t i = 0; i < made.outputs.size(); ++i)
            EXPECT_EQ(again.outputs[i].sha256, made.outputs[i].sha256);
        for (std::size_t stage = 0; stage < 2; ++stage) {
            EXPECT_FALSE(made.calibration.at(stage).fromCache);
            EXPECT_TRUE(found.calibration.at(stage).fromCache) << "another batch, the same weights";
            EXPECT_TRUE(again.calibration.at(stage).fromCache);
            EXPECT_EQ(again.calibration[stage].content, made.calibration[stage].content);
            EXPECT_EQ(again.calibration[stage].layers, made.calibration[stage].layers);
            EXPECT_NEAR(again.calibration[stage].seconds, made.calibration[stage].seconds, 1e-9);
        }
        EXPECT_THAT(again.notes, ::testing::Contains(::testing::Field(
                                     &core::Note::code, core::NoteCode::CalibrationFromCache)));
    }
}

TEST_F(CalibrationCacheTest, AnotherSetOrOptionIsAnotherEntry)
{
    core::CellRequest request =
        tests::smallCell(m_folder.path(), "vitok:w64_d1_h2-w64_d2_h2/1x8x16", 3, 32);
    request.cacheFolder = folder();
    std::vector<std::string> contents;
    const auto expectFresh = [&] {
        const core::CellResult result = measure(request);
        for (const core::StageCalibration& stage : result.calibration) {
            EXPECT_FALSE(stage.fromCache) << request.config.precision.front();
            EXPECT_THAT(contents, ::testing::Not(::testing::Contains(stage.content)));
            contents.push_back(stage.content);
        }
    };
    for (const char* scheme :
         {"int8-static:samples=2", "int8-static:samples=3", "int8-static:samples=2:seed=1",
          "int8-static:samples=2:method=percentile",
          "int8-static:samples=2:method=percentile:percentile=99",
          "int8-static:samples=2:set=inputs", "int8sq:samples=2", "int8sq:samples=2:alpha=0.6"}) {
        request.config.precision = {scheme};
        expectFresh();
    }
    // Other pictures.
    request = tests::smallCell(m_folder.path(), request.config.model, 2, 32);
    request.cacheFolder = folder();
    request.config.precision = {"int8-static:samples=2:set=inputs"};
    core::CellRequest others = request;
    others.inputFile = "others.npy";
    fs::copy_file(m_folder / "pictures.npy", m_folder / "others.npy");
    std::fstream file(m_folder / "others.npy", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-40, std::ios::end);
    file.write("\0\0\0\0", 4);
    file.close();
    request = others;
    expectFresh();
    request.config.layers = "mlp";
    expectFresh();
}

}  // namespace
}  // namespace qs::engine
