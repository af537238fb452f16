#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// One function per command of quantscope-cli. Each prints for people and returns the exit code.
namespace qs::app {

// What a model is fed with, where its file does not say it.
struct FeedingOptions {
    std::vector<std::string> inputs;  // "x=images:range=0..1"
    std::string weights;              // "trained" or "untrained"
    std::string output;               // "output_1:classes"
    std::vector<std::string> stages;  // "encoder=model.encoder"
    std::string labels;               // a file with the class of each sample
};

// A calibration set of one's own.
struct CalibrationOptions {
    std::string images;               // folder or file
    std::vector<std::string> inputs;  // "tokens=text:calibration.txt:tokenizer=tokenizer.json"
};

struct RunCommand {
    std::string preset;
    std::string out;
    bool dryRun = false;
    bool resume = false;
    bool append = false;
    int settleRounds = 0;  // more, for the open comparisons of the run; 0 for none
    bool retryFailed = false;
    bool trustPaths = false;         // of the run that it goes on with, see Note [Path trust]
    std::vector<std::string> trust;  // SHA-256 of compiled programs that are agreed to
    bool manyAllowed = false;
    std::string sensitivity;           // "layer" or "block": each alone; empty: as the preset says
    std::vector<std::string> filters;  // "precision=bf16,int8dq": keeps only these
    std::vector<std::string> overrides;  // "batch=1..64 pow2", "rounds=3"
    std::string device;
    std::string model;
    std::string images;
    FeedingOptions feeding;
    CalibrationOptions calibration;
    std::optional<std::int64_t> seed;
    double maximumSeconds = 0.0;
    std::vector<std::string> failOn;  // "gates", or a gate: "ssim_mean >= 0.99"
    std::string undecided = "fail";   // what a gate that is undecided does there, or "pass"
};
[[nodiscard]] int runCommand(const RunCommand& command);

struct InspectCommand {
    std::string model;
    std::string precision = "bf16";  // "bf16/int8dq" for stages apart
    std::string layers = "all";
    std::vector<std::string> sizes;     // "image_size=256"; what is not named is usual
    std::optional<std::int64_t> batch;  // the least that the model has
    FeedingOptions feeding;
    std::int64_t seed = 42;
    bool allLayers = false;  // the whole layer table
    bool json = false;       // all of it for programs
};
[[nodiscard]] int inspectCommand(const InspectCommand& command);

// The lines of Python that make a file which can be opened here.
struct ExportExampleCommand {
    std::string model;        // the name it has in Python
    std::string input;        // of its argument
    bool checkpoint = false;  // of a state_dict and not of a program
};
[[nodiscard]] int exportExampleCommand(const ExportExampleCommand& command);

struct SensitivityCommand {
    std::string run;    // folder
    std::string limit;  // a gate on quality: "ssim_mean >= 0.99"; empty: only what the run says
};
[[nodiscard]] int sensitivityCommand(const SensitivityCommand& command);

struct RegionsCommand {
    std::string run;                 // folder
    std::string limit;               // as above
    std::string objective = "time";  // see SubsetObjective
    int budget = 16;                 // cells of one search, those that are there included
    double seconds = 0.0;            // of measuring, in one search; 0: as long as it takes
};
[[nodiscard]] int regionsCommand(const RegionsCommand& command);

struct QuantizeCommand {
    std::string model;
    std::string precision;
    std::string layers = "all";
    std::string format = "quantscope";
    std::string out;  // folder; made, or empty
    std::string device = "cpu";
    std::vector<std::string> sizes;  // as of inspect; those that calibration runs at
    FeedingOptions feeding;
    CalibrationOptions calibration;
    std::int64_t seed = 42;
};
[[nodiscard]] int quantizeCommand(const QuantizeCommand& command);

[[nodiscard]] int devicesCommand();

struct ReportCommand {
    std::string run;
    std::string baseline;
    std::string price;  // of an hour of the device, "2.5:USD"; that of the preset if empty
    std::string out;    // folder; the run folder itself if empty
    bool csv = false;
    bool json = false;
    bool markdown = false;
    bool html = false;
    std::string bundle;
    std::string profile;              // id of an export profile, which needs `out`; empty: none
    std::vector<std::string> failOn;  // as of a run
    std::string undecided = "fail";
};
[[nodiscard]] int reportCommand(const ReportCommand& command);

// Measures the network of a run in Python, or puts what another program measured beside it.
struct PeerCommand {
    std::string run;     // folder
    std::string attach;  // file of reference results: nothing is measured
    std::vector<std::string> precisions;
    std::vector<std::string> modes;
    std::vector<std::int64_t> batches;  // empty: those of the run
    std::string device;                 // empty: that of the run
    std::string python;                 // empty: the one whose PyTorch the engine uses
    std::string prepare;                // folder; only what the script needs is written there
    int rounds = 3;
    int samples = 20;
    double prepareSeconds = 0.0;
    bool shareCaches = false;
    bool trustPaths = false;
};
[[nodiscard]] int peerCommand(const PeerCommand& command);

struct CompareCommand {
    std::vector<std::string> runs;  // folders; the first is what the others are compared with
    std::string markdown;           // file; without any file Markdown goes to standard output
    std::string csv;
    std::string json;
    std::vector<std::string> failOn;  // slower, quality, memory, broken, missing, undecided
};
[[nodiscard]] int compareCommand(const CompareCommand& command);

struct RepairCommand {
    std::string run;
    std::string out;  // of the copy; beside the run if empty
    bool inPlace = false;
};
[[nodiscard]] int repairCommand(const RepairCommand& command);

// Makes an exported program of a TorchScript one; tries a package of AOTInductor.
struct ConvertCommand {
    std::string program;
    std::vector<std::string> inputs;  // "x=float32[batch,3,224,224]"
    std::string out;                  // empty: beside it, see core::madeOf()
    bool replace = false;
    std::string trust;      // SHA-256 that is agreed to; empty: asked for
    bool remember = false;  // not to be asked again
};
[[nodiscard]] int convertCommand(const ConvertCommand& command);

// The programs that are trusted.
struct TrustCommand {
    std::string forget;  // SHA-256; empty: they are listed
};
[[nodiscard]] int trustCommand(const TrustCommand& command);

// Of inputs, calibration, packages and kernels.
struct CacheCommand {
    bool clear = false;  // else they are listed
    std::string kind;    // of core::kCacheKinds; empty: all
};
[[nodiscard]] int cacheCommand(const CacheCommand& command);

// Entries of the calibration cache, from hand to hand.
struct CalibrationCommand {
    std::string exportTo;              // folder
    std::string importFrom;            // folder or file; neither: they are listed
    std::vector<std::string> entries;  // beginnings of names; empty: all
};
[[nodiscard]] int calibrationCommand(const CalibrationCommand& command);

[[nodiscard]] int presetCheckCommand(const std::vector<std::string>& files);

// A sweep of OlmoEarth's throughput benchmark, or the name of one of its runs, as a preset.
struct PresetConvertCommand {
    std::string source;
    std::string out;  // empty: the names of its runs are printed alone
};
[[nodiscard]] int presetConvertCommand(const PresetConvertCommand& command);

// A small sweep on every device that is there; checks that it runs and that reruns are
// bit-identical.
[[nodiscard]] int selftestCommand();

}  // namespace qs::app
