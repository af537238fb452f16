#include "core/sweep/plan_needs.h"

#include "core/base/format.h"
#include "core/quant/calibration.h"

#include <algorithm>
#include <set>

namespace qs::core {

namespace {

constexpr std::int64_t kArrayBytes = 12;  // of a pixel: three float32
constexpr std::int64_t kPngBytes = 3;     // of a pixel; photographs compress little
// Of a pixel of one image while it is made: the drawing in double precision, the image, its planes
// and its PNG.
constexpr std::int64_t kMakingBytes = 24 + 2 * kArrayBytes + 2 * kPngBytes;
// Of a pixel in the images of a batch: what was read, what the model takes, what it gave.
constexpr std::int64_t kBatchBytes = 3 * kArrayBytes;
// Of the outputs of one cell that are no images: scores over a vocabulary are large, eight samples
// of 128 positions and 128 k tokens take as much.
constexpr std::int64_t kMostKeptBytes = std::int64_t{512} << 20U;
// Scores of classes are small, and an accuracy needs many.
constexpr std::int64_t kMostScored = 1024;
constexpr std::uintmax_t kSpareDisk = std::uintmax_t{32} << 20U;

// Beyond this side no image can be made; sums stay far from overflowing.
constexpr std::int64_t kLargestSide = 16384;

std::int64_t pixelsOf(std::int64_t imageSize)
{
    const std::int64_t side = std::min(imageSize, kLargestSide);
    return side * side;
}

std::int64_t arrayBytes(const PlannedCell& cell)
{
    return std::clamp(cell.outputValues, std::int64_t{0}, std::int64_t{1} << 40U) *
           std::int64_t{sizeof(float)};
}

}  // namespace

int keptOutputs(const Plan& plan, const PlannedCell& cell)
{
    // What is labelled is judged over as many as there may be.
    const bool scored = cell.output == OutputKind::Embedding && !plan.preset.feeding.labels.empty();
    const std::int64_t wanted =
        cell.output == OutputKind::Image
            ? std::min<std::int64_t>(plan.preset.pictures.count, kKeptOutputs)
        : cell.output == OutputKind::Classes
            ? std::clamp<std::int64_t>(plan.preset.pictures.count, kKeptOutputs, kMostScored)
        : scored ? kMostScored
                 : kKeptOutputs;
    const std::int64_t fitting = kMostKeptBytes / std::max<std::int64_t>(1, arrayBytes(cell));
    return static_cast<int>(
        cell.output == OutputKind::Image ? wanted : std::clamp<std::int64_t>(fitting, 1, wanted));
}

std::int64_t inputBytes(const Plan& plan, std::int64_t imageSize)
{
    return plan.preset.pictures.count * pixelsOf(imageSize) * (kArrayBytes + kPngBytes);
}

std::int64_t outputBytes(const Plan& plan, const PlannedCell& cell)
{
    const std::int64_t png =
        cell.output == OutputKind::Image ? pixelsOf(cell.config.imageSize()) * kPngBytes : 0;
    return keptOutputs(plan, cell) * (arrayBytes(cell) + png);
}

PlanNeeds needsOf(const Plan& plan)
{
    PlanNeeds needs;
    std::set<std::int64_t> sizes;
    std::set<std::int64_t> calibrated;  // sizes as well
    for (const PlannedCell& cell : plan.cells) {
        if (!cell.possible())
            continue;
        const std::int64_t size = cell.config.imageSize();
        needs.diskBytes += outputBytes(plan, cell) + plan.roundsOf(cell) * kRowBytes;
        if (sizes.insert(size).second)
            needs.diskBytes += inputBytes(plan, size);
        const CalibrationInputs& calibration = plan.preset.calibration;
        if (!calibration.pictures.source.empty() &&
            anyCalibratesOn(CalibrationSet::Own, cell.config.precision) &&
            calibrated.insert(size).second)
            needs.diskBytes += calibration.pictures.count * pixelsOf(size) * kArrayBytes;
        const std::int64_t batch =
            std::min<std::int64_t>(cell.config.batch, plan.preset.pictures.count);
        needs.imageMemoryBytes = std::max({needs.imageMemoryBytes, pixelsOf(size) * kMakingBytes,
                                           pixelsOf(size) * batch * kBatchBytes});
    }
    return needs;
}

std::uintmax_t withSpareDisk(std::int64_t neededBytes)
{
    const auto needed = static_cast<std::uintmax_t>(std::max<std::int64_t>(0, neededBytes));
    return needed + needed / 8 + kSpareDisk;
}

Status checkRoom(const PlanNeeds& needs, const HostRoom& room)
{
    const auto bytes = [](auto count) { return formatBytes(static_cast<double>(count)); };
    if (room.memoryBytes > 0 && static_cast<double>(needs.imageMemoryBytes) >
                                    kImageShareOfMemory * static_cast<double>(room.memoryBytes))
        return Error{ErrorCode::Unsupported,
                     "images would take " + bytes(needs.imageMemoryBytes) +
                         " of memory in one process, more than half of the " +
                         bytes(room.memoryBytes) +
                         " here; use a smaller image size or batch, or fewer images"};
    const std::uintmax_t disk = withSpareDisk(needs.diskBytes);
    if (room.freeDiskBytes && *room.freeDiskBytes < disk)
        return Error{
            ErrorCode::Unsupported,
            "the run takes up to " + bytes(disk) + " on disk, but only " +
                bytes(*room.freeDiskBytes) +
                " are free; free disk space, use another folder, or fewer or smaller images"};
    return {};
}

}  // namespace qs::core
