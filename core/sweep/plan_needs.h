#pragma once

#include "core/base/result.h"
#include "core/device/host_room.h"
#include "core/sweep/plan.h"

#include <cstdint>

namespace qs::core {

// What a run takes of the machine it runs on, before anything ran: upper bounds of what its images
// and rows take.
struct PlanNeeds {
    std::int64_t diskBytes = 0;         // of the run folder
    std::int64_t imageMemoryBytes = 0;  // the most that one process holds at a time
};

// Of all possible cells in all their rounds; Plan::estimatedBytes() is the disk alone.
[[nodiscard]] PlanNeeds needsOf(const Plan& plan);

// The parts of the disk. Images that go in, at one size; what one cell keeps of its outputs; a row.
[[nodiscard]] std::int64_t inputBytes(const Plan& plan, std::int64_t imageSize);
[[nodiscard]] std::int64_t outputBytes(const Plan& plan, const PlannedCell& cell);
// How many outputs of a cell are stored, to be compared: kKeptOutputs of them where they are not
// too large. At least one.
[[nodiscard]] int keptOutputs(const Plan& plan, const PlannedCell& cell);
inline constexpr std::int64_t kRowBytes = 10'000;  // with its samples and quality figures

// Images may take so much of the memory; the rest is for the model, and for other programs.
inline constexpr double kImageShareOfMemory = 0.5;
// Kept free on the disk beyond what is needed: estimates err, and others write there, too.
[[nodiscard]] std::uintmax_t withSpareDisk(std::int64_t neededBytes);

// Unsupported, with a sentence, if a run that needs so much cannot go well in this room.
[[nodiscard]] Status checkRoom(const PlanNeeds& needs, const HostRoom& room);

}  // namespace qs::core
