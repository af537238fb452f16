#pragma once

#include "core/base/enum_names.h"
#include "core/base/json.h"

#include <compare>
#include <string>
#include <variant>
#include <vector>

namespace qs::core {

// What deserves a word on a row, a cell or a plan. The arguments of each stand behind it, in their
// order; numbers in base units (seconds, bytes, MHz, fractions). Words: core/report/note_text.h.
enum class NoteCode {
    // Of the program.
    RowsPadded,         // rows, padded to
    ReferenceFloat8,    // products in float32 from the codes: same numerics, no speed
    ReferenceInt4,      // weights widened before each product: same numerics, no speed
    FilterMatchesNone,  // filter, stage, type it runs in
    SameFilters,        // filters that it stands for, precision
    // Stage, layers of the filter that the precision cannot take, all of the filter, share of their
    // weights, precision, why the first of them cannot.
    LayersSkipped,
    RegionMissing,         // stage, kind of region that it does not have
    RegionsLeftEager,      // stage, kind, how many cannot be taken out, of all
    CutBetweenBlocks,      // stage, programs that it is compiled into, calls of them in a run
    ReferenceStatic,       // convolutions as im2col and integer products: same numerics, no speed
    ReferenceInt8,         // products in float64 from the codes: same numerics, no speed
    UnfusedInt8,           // no kernel quantizes activations and multiplies them in one
    NoInt8Convolution,     // no exact kernel of int8 convolutions on this processor; device
    WeightsWidened,        // in every pass: stage, layers, bytes that widening writes
    FusedKernels,          // stage, kernels per pass, operations in them, operations beside them
    ReferenceFused,        // stage; groups run operation by operation: same numerics, no speed
    FusedFellBack,         // stage, module of a group that runs operation by operation, why
    Calibrated,            // samples, where they come from, seconds
    CalibrationFromCache,  // the same; seconds that making it took
    CalibratedOnQualityInputs,  // how many of its samples are among them, samples
    // Of layers that are solved for: how many have not enough rows, the first, its rows, its inputs
    FewCalibrationRows,
    SolverFellBack,  // layers that are rounded to nearest, the first of them
    Remark,          // in words: of what was registered from outside, or of a reader
    // Of the plan: why a cell cannot run.
    NoSuchDevice,              // device
    NeedsCuda,                 // what, device
    NeedsCapability,           // what, capability, generations, device, its capability
    CompilerLacks,             // what, what needs it, device
    CompilerRefuses,           // precision, compile mode, device
    AttentionNeedsCuda,        // kernel
    AttentionTooWide,          // kernel, precision
    InputsStay,                // device
    NoSuchSize,                // size
    ImageTooLarge,             // px, the most
    WeightsTooLarge,           // bytes, device, its bytes
    FilterMatchesNoLayer,      // filter, precision
    NoLayerFits,               // filter, precision, the first layer, why
    ProgramIsFixed,            // what was asked of a compiled program
    OnlyForPrograms,           // what was asked of a model that is none
    NoCalibrationPictures,     // set=own, and the preset names none
    NoCalibrationInputs,       // the same of a model that takes no images
    CalibrationSetUnfit,       // why
    TooFewCalibrationSamples,  // asked for, in the set
    TooFewInputs,              // the same of the inputs of the run
    HistoryTooLong,            // its length, calibration passes, stage
    NothingToQuantize,         // precision
    QuantizingIsAlone,         // what was asked of a cell that quantizes
    RegionNotThere,            // pattern of modules that are to be regions
    RegionInterrupted,         // stage, module whose operations others stand between
    RegionChangesMemory,       // stage, module
    RegionOnlyArranges,        // stage, module
    RegionsOverlap,            // module or kind of region, module
    ProgramNeedsDevice,        // device that a program is compiled for ("cuda"), device
    ProgramNeedsOther,         // compute capability that it is compiled for, device, its capability
    // Of the worker.
    WeightsKept,
    // SHA-256, "files, network" of what it was kept from
    RanProgram,
    ColdCacheNeedsGpu,
    GateGivenUp,           // launches waited for their end
    FewerDistinctBatches,  // asked for, there were, samples
    NoEnergyColdCache,
    NoEnergyOnCpu,
    ClockStepsOfPass,   // seconds, share of a step
    ClockStepsOfBlock,  // passes, seconds, share
    ClockStepsOfStage,  // stage, seconds, share
    // Of the supervising process.
    ForeignProcess,     // name, pid, bytes (0: not known)
    MemoryLeftOver,     // bytes
    Throttled,          // cause
    ClocksSet,          // MHz during the samples, of the device
    ClockLow,           // the same, cause
    ClockBelowMaximum,  // the same, cause
    ClockMoving,        // MHz at the end of the warm-up, during the samples
    HostDisturbed,      // cores that others took, cores there are
    // Of the profile of a pass.
    HostBound,     // share of gaps, launches per pass
    OlderKernels,  // their share of the pass, the longest of them
    SameKernels,   // compile mode that ran the same ones
    // Of the analysis.
    NoMemoryFigures,
    SelfTestRepeated,  // attempts
    WholeDeviceMemory,
    AllocatorRetried,
    WarmupNotSteady,
    RanDifferently,  // not the same in all rounds
    OutputsDiffer,   // between rounds
    SevereOutliers,
    OtherEnvironments,  // how many
    ComparedElsewhere,  // outputs, in another environment only
    RoundsFarApart,     // how many, of shared rounds, their numbers, seconds
    RoundsLeftOut,      // the same
    RoundsUnpaired,
    // Doubts: the figures may not be what they seem.
    Mismatch,      // stage, operation, type, expected, ran
    StrayLayer,    // stage, module, operation and type that it ran in; empty: not known
    StrayLayers,   // stage, calls, shape of their weights; empty: of several
    FarFromEager,  // stage, distance of its package from eager, most it may be
    EqualsBf16,    // precision
    EqualsFp32,    // precision
    WeightsChanged,
    WrongStorage,  // weights, bytes there are, bytes there should be, the first of them
    BeyondPeak,    // FLOP/s it would mean, published
    BeyondMemory,  // bytes of the weights, published bytes/s
    // Of the run.
    RoundOrder,             // round, places of its cells in their order
    CellsAppended,          // preset, cells
    AppendRefused,          // why
    BroughtForward,         // place of the cell, precision, compile mode, batch
    NothingToBringForward,  // the same
    EarlierEnvironments,    // rows
    DiskFull,               // bytes needed, folder, bytes free
    DiskFree,
    OutputsNotCompared,   // cell, what with, why
    ComparisonNotStored,  // the same
    ImagesNotWritten,     // cell, why
    ImagesLeftOut,        // how many files, the first of them and why
    MoreNotCompared,
    GovernorNotPerformance,  // governor
    TurboOn,
    CoresBusy,             // cores, of all
    CpuQuota,              // cores, of all
    ImageNamesUnreadable,  // why
    RecordCutOff,          // bytes
};

inline constexpr auto kNoteCodes = enumNames<NoteCode>({
    {NoteCode::RowsPadded, "rows_padded"},
    {NoteCode::ReferenceFloat8, "reference_float8"},
    {NoteCode::ReferenceInt4, "reference_int4"},
    {NoteCode::FilterMatchesNone, "filter_matches_none"},
    {NoteCode::SameFilters, "same_filters"},
    {NoteCode::LayersSkipped, "layers_skipped"},
    {NoteCode::RegionMissing, "region_missing"},
    {NoteCode::RegionsLeftEager, "regions_left_eager"},
    {NoteCode::CutBetweenBlocks, "cut_between_blocks"},
    {NoteCode::RegionNotThere, "region_not_there"},
    {NoteCode::RegionInterrupted, "region_interrupted"},
    {NoteCode::RegionChangesMemory, "region_changes_memory"},
    {NoteCode::RegionOnlyArranges, "region_only_arranges"},
    {NoteCode::RegionsOverlap, "regions_overlap"},
    {NoteCode::ReferenceStatic, "reference_static"},
    {NoteCode::ReferenceInt8, "reference_int8"},
    {NoteCode::UnfusedInt8, "unfused_int8"},
    {NoteCode::NoInt8Convolution, "no_int8_convolution"},
    {NoteCode::WeightsWidened, "weights_widened"},
    {NoteCode::FusedKernels, "fused_kernels"},
    {NoteCode::ReferenceFused, "reference_fused"},
    {NoteCode::FusedFellBack, "fused_fell_back"},
    {NoteCode::Calibrated, "calibrated"},
    {NoteCode::CalibrationFromCache, "calibration_from_cache"},
    {NoteCode::CalibratedOnQualityInputs, "calibrated_on_quality_inputs"},
    {NoteCode::FewCalibrationRows, "few_calibration_rows"},
    {NoteCode::SolverFellBack, "solver_fell_back"},
    {NoteCode::Remark, "remark"},
    {NoteCode::NoSuchDevice, "no_such_device"},
    {NoteCode::NeedsCuda, "needs_cuda"},
    {NoteCode::NeedsCapability, "needs_capability"},
    {NoteCode::CompilerLacks, "compiler_lacks"},
    {NoteCode::CompilerRefuses, "compiler_refuses"},
    {NoteCode::AttentionNeedsCuda, "attention_needs_cuda"},
    {NoteCode::AttentionTooWide, "attention_too_wide"},
    {NoteCode::InputsStay, "inputs_stay"},
    {NoteCode::NoSuchSize, "no_such_size"},
    {NoteCode::ImageTooLarge, "image_too_large"},
    {NoteCode::WeightsTooLarge, "weights_too_large"},
    {NoteCode::FilterMatchesNoLayer, "filter_matches_no_layer"},
    {NoteCode::NoLayerFits, "no_layer_fits"},
    {NoteCode::ProgramIsFixed, "program_is_fixed"},
    {NoteCode::OnlyForPrograms, "only_for_programs"},
    {NoteCode::NoCalibrationPictures, "no_calibration_pictures"},
    {NoteCode::NoCalibrationInputs, "no_calibration_inputs"},
    {NoteCode::CalibrationSetUnfit, "calibration_set_unfit"},
    {NoteCode::TooFewCalibrationSamples, "too_few_calibration_samples"},
    {NoteCode::TooFewInputs, "too_few_inputs"},
    {NoteCode::HistoryTooLong, "history_too_long"},
    {NoteCode::NothingToQuantize, "nothing_to_quantize"},
    {NoteCode::QuantizingIsAlone, "quantizing_is_alone"},
    {NoteCode::ProgramNeedsDevice, "program_needs_device"},
    {NoteCode::ProgramNeedsOther, "program_needs_other"},
    {NoteCode::WeightsKept, "weights_kept"},
    {NoteCode::RanProgram, "ran_program"},
    {NoteCode::ColdCacheNeedsGpu, "cold_cache_needs_gpu"},
    {NoteCode::GateGivenUp, "gate_given_up"},
    {NoteCode::FewerDistinctBatches, "fewer_distinct_batches"},
    {NoteCode::NoEnergyColdCache, "no_energy_cold_cache"},
    {NoteCode::NoEnergyOnCpu, "no_energy_on_cpu"},
    {NoteCode::ClockStepsOfPass, "clock_steps_of_pass"},
    {NoteCode::ClockStepsOfBlock, "clock_steps_of_block"},
    {NoteCode::ClockStepsOfStage, "clock_steps_of_stage"},
    {NoteCode::ForeignProcess, "foreign_process"},
    {NoteCode::MemoryLeftOver, "memory_left_over"},
    {NoteCode::Throttled, "throttled"},
    {NoteCode::ClocksSet, "clocks_set"},
    {NoteCode::ClockLow, "clock_low"},
    {NoteCode::ClockBelowMaximum, "clock_below_maximum"},
    {NoteCode::ClockMoving, "clock_moving"},
    {NoteCode::HostDisturbed, "host_disturbed"},
    {NoteCode::HostBound, "host_bound"},
    {NoteCode::OlderKernels, "older_kernels"},
    {NoteCode::SameKernels, "same_kernels"},
    {NoteCode::NoMemoryFigures, "no_memory_figures"},
    {NoteCode::SelfTestRepeated, "self_test_repeated"},
    {NoteCode::WholeDeviceMemory, "whole_device_memory"},
    {NoteCode::AllocatorRetried, "allocator_retried"},
    {NoteCode::WarmupNotSteady, "warmup_not_steady"},
    {NoteCode::RanDifferently, "ran_differently"},
    {NoteCode::OutputsDiffer, "outputs_differ"},
    {NoteCode::SevereOutliers, "severe_outliers"},
    {NoteCode::OtherEnvironments, "other_environments"},
    {NoteCode::ComparedElsewhere, "compared_elsewhere"},
    {NoteCode::RoundsFarApart, "rounds_far_apart"},
    {NoteCode::RoundsLeftOut, "rounds_left_out"},
    {NoteCode::RoundsUnpaired, "rounds_unpaired"},
    {NoteCode::Mismatch, "mismatch"},
    {NoteCode::StrayLayer, "stray_layer"},
    {NoteCode::StrayLayers, "stray_layers"},
    {NoteCode::FarFromEager, "far_from_eager"},
    {NoteCode::EqualsBf16, "equals_bf16"},
    {NoteCode::EqualsFp32, "equals_fp32"},
    {NoteCode::WeightsChanged, "weights_changed"},
    {NoteCode::WrongStorage, "wrong_storage"},
    {NoteCode::BeyondPeak, "beyond_peak"},
    {NoteCode::BeyondMemory, "beyond_memory"},
    {NoteCode::RoundOrder, "round_order"},
    {NoteCode::CellsAppended, "cells_appended"},
    {NoteCode::AppendRefused, "append_refused"},
    {NoteCode::BroughtForward, "brought_forward"},
    {NoteCode::NothingToBringForward, "nothing_to_bring_forward"},
    {NoteCode::EarlierEnvironments, "earlier_environments"},
    {NoteCode::DiskFull, "disk_full"},
    {NoteCode::DiskFree, "disk_free"},
    {NoteCode::OutputsNotCompared, "outputs_not_compared"},
    {NoteCode::ComparisonNotStored, "comparison_not_stored"},
    {NoteCode::ImagesNotWritten, "images_not_written"},
    {NoteCode::ImagesLeftOut, "images_left_out"},
    {NoteCode::MoreNotCompared, "more_not_compared"},
    {NoteCode::GovernorNotPerformance, "governor_not_performance"},
    {NoteCode::TurboOn, "turbo_on"},
    {NoteCode::CoresBusy, "cores_busy"},
    {NoteCode::CpuQuota, "cpu_quota"},
    {NoteCode::ImageNamesUnreadable, "image_names_unreadable"},
    {NoteCode::RecordCutOff, "record_cut_off"},
});

using NoteArgument = std::variant<double, std::string>;

struct Note {
    NoteCode code = NoteCode::WeightsKept;
    std::vector<NoteArgument> arguments = {};

    // That of an argument, or 0 and nothing where a file has another or none.
    [[nodiscard]] double number(std::size_t place) const;
    [[nodiscard]] const std::string& text(std::size_t place) const;

    auto operator<=>(const Note&) const = default;
};

// What a reader, a family or an extension says in its own words.
[[nodiscard]] Note remark(std::string words);

// Whether both say the same, each with its own numbers, as the rounds of a cell do.
[[nodiscard]] bool sayTheSame(const Note& one, const Note& other);
// Adds what none of the notes says yet.
void addNote(std::vector<Note>& notes, Note note);

[[nodiscard]] Json toJson(const std::vector<Note>& notes);
[[nodiscard]] std::vector<Note> notesFromJson(JsonFields& fields, std::string_view name);

}  // namespace qs::core
