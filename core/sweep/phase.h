#pragma once

#include "core/base/enum_names.h"

#include <array>

namespace qs::core {

// What a run does at a moment. From SelfTest to Profile: the phases of a cell, whose times are on
// its row; FirstPass, MemoryPass and Capture are parts of Compile.
enum class Phase {
    Idle,
    Inputs,     // images are prepared, before the first cell
    Start,      // of a worker
    SelfTest,   // of the memory figures; once per worker and device
    Package,    // a compiler makes packages of the stages, in a process of its own
    Load,       // weights come to the device
    Calibrate,  // the model runs over the calibration set; weights that need it are solved
    Quantize,
    Compile,  // the program is made ready to run, up to its first pass
    FirstPass,
    MemoryPass,
    Capture,
    Warmup,
    Measure,
    Energy,     // passes go on for the energy counter; none of them is timed
    Outputs,    // of the quality set
    Profile,    // a few passes under the profiler
    Comparing,  // outputs, between two cells
    DiskFull,   // waiting for space
    Paused,
};

inline constexpr auto kPhaseNames =
    enumNames<Phase>({{Phase::Idle, "idle"},           {Phase::Inputs, "inputs"},
                      {Phase::Start, "start"},         {Phase::SelfTest, "self_test"},
                      {Phase::Package, "package"},     {Phase::Load, "load"},
                      {Phase::Calibrate, "calibrate"}, {Phase::Quantize, "quantize"},
                      {Phase::Compile, "compile"},     {Phase::FirstPass, "first"},
                      {Phase::MemoryPass, "memory"},   {Phase::Capture, "capture"},
                      {Phase::Warmup, "warmup"},       {Phase::Measure, "measure"},
                      {Phase::Energy, "energy"},       {Phase::Outputs, "outputs"},
                      {Phase::Profile, "profile"},     {Phase::Comparing, "comparing"},
                      {Phase::DiskFull, "disk_full"},  {Phase::Paused, "paused"}});

// Whose times are on a row, in order of a cell.
inline constexpr std::array<Phase, 14> kCellPhases{
    Phase::SelfTest, Phase::Package,   Phase::Load,       Phase::Calibrate, Phase::Quantize,
    Phase::Compile,  Phase::FirstPass, Phase::MemoryPass, Phase::Capture,   Phase::Warmup,
    Phase::Measure,  Phase::Energy,    Phase::Outputs,    Phase::Profile};

[[nodiscard]] constexpr bool isPartOfCompile(Phase phase)
{
    return phase == Phase::FirstPass || phase == Phase::MemoryPass || phase == Phase::Capture;
}

}  // namespace qs::core
