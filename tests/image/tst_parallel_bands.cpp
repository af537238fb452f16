#include "core/image/parallel_bands.h"

#include "core/image/flip.h"
#include "core/image/ms_ssim.h"
#include "core/image/picture_file.h"
#include "core/image/png_codec.h"
#include "core/image/resize.h"
#include "core/image/ssim.h"
#include "tests/support/test_folder.h"
#include "tests/support/test_picture.h"

#include <gmock/gmock.h>

#include <atomic>
#include <span>
#include <stdexcept>

namespace {

using namespace qs::core;
using namespace qs::tests;

TEST(ParallelBands, CoverEveryRowOnce)
{
    for (const int rows : {1, 63, 64, 65, 1000}) {
        std::vector<std::atomic<int>> seen(static_cast<std::size_t>(rows));
        forEachBand(rows, [&](int first, int last) {
            for (int row = first; row < last; ++row)
                ++seen[static_cast<std::size_t>(row)];
        });
        for (const auto& count : seen)
            EXPECT_EQ(count, 1);
    }
}

TEST(ParallelBands, ThrowWhatTheWorkThrows)
{
    EXPECT_THROW(forEachBand(1000, [](int, int) { throw std::runtime_error("band"); }),
                 std::runtime_error);
}

TEST(ParallelBands, LeaveOutWhatHasNotBegunWhenStopped)
{
    std::stop_source stop;
    std::atomic<int> bands = 0;
    forEachBand(
        64 * kBandRows,
        [&](int, int) {
            stop.request_stop();
            ++bands;
        },
        stop.get_token());
    EXPECT_GE(bands, 1);
    EXPECT_LE(bands, 16) << "one on each thread";
}

TEST(Stopped, EverythingThatTakesLongIsCancelled)
{
    const TestFolder folder;
    const Picture picture = testPicture(1, 256);
    std::stop_source stop;
    stop.request_stop();
    const std::stop_token token = stop.get_token();
    EXPECT_EQ(ssim(picture, picture, SsimVariant::Wang04, 1.0, token).error().code,
              ErrorCode::Cancelled);
    EXPECT_EQ(msSsim(picture, picture, 1.0, token).error().code, ErrorCode::Cancelled);
    EXPECT_EQ(flip(picture, picture, kUsualPixelsPerDegree, token).error().code,
              ErrorCode::Cancelled);
    EXPECT_EQ(encodePng(picture, {}, token).error().code, ErrorCode::Cancelled);
    EXPECT_EQ(writePng(folder / "a.png", picture, {}, token).error().code, ErrorCode::Cancelled);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
    ASSERT_TRUE(writePng(folder / "a.png", picture).ok());
    for (const std::filesystem::path& file :
         {folder / "a.png", dataFile("golden/image/colour444.jpg")}) {
        EXPECT_TRUE(readPicture(file).ok()) << file;
        EXPECT_EQ(readPicture(file, token).error().code, ErrorCode::Cancelled) << file;
    }
    EXPECT_EQ(listPictures(folder.path(), token).error().code, ErrorCode::Cancelled);
    EXPECT_EQ(centerCropAdm(picture, 100, token).width, 100) << "of the right size all the same";
}

}  // namespace
