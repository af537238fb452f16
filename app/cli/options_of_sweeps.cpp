#include "app/cli/command_options.h"
#include "core/analysis/subset_search.h"
#include "core/sweep/settle_plan.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace qs::app {

namespace {

std::vector<std::string> objectiveNames()
{
    std::vector<std::string> names;
    for (const core::SubsetObjective objective : core::kSubsetObjectives.values())
        names.emplace_back(core::kSubsetObjectives.of(objective));
    return names;
}

}  // namespace

void addRun(CLI::App& app, RunCommand& run)
{
    CLI::App* sub = app.add_subcommand("run", "Run a sweep without a window");
    sub->add_option("preset", run.preset, "Preset (JSON)");
    sub->add_option("--out", run.out, "Run folder to create or resume");
    sub->add_flag("--dry-run", run.dryRun,
                  "Show the cells, which of them cannot run and why, and the estimated time");
    sub->add_flag("--resume", run.resume,
                  "Resume the run in --out; finished cells are not repeated");
    sub->add_flag("--append", run.append,
                  "Add the cells of the preset to the run in --out, in additional rounds with "
                  "their baselines, and resume it");
    sub->add_option("--settle", run.settleRounds,
                    "Add N rounds to the undecided comparisons of the run in --out and their "
                    "baselines, and resume it")
        ->check(CLI::Range(1, core::kMostSettleRounds));
    sub->add_option("--trust", run.trust,
                    "SHA-256 of a model that is a compiled program: run it without asking")
        ->allow_extra_args(false);
    sub->add_flag("--trust-paths", run.trustPaths,
                  "Allow a run started elsewhere to read the models and images named in its plan");
    sub->add_flag("--retry-failed", run.retryFailed, "With --resume: retry failed cells");
    sub->add_flag("--yes", run.manyAllowed, "Allow more than 10 000 cells");
    sub->add_option("--sensitivity", run.sensitivity,
                    "Quantize each layer, or each block, alone; \"quantscope-cli sensitivity\" "
                    "ranks them afterwards")
        ->check(CLI::IsMember({"layer", "block"}));
    sub->add_option("--filter", run.filters, "Run only cells with name=value[,value]");
    sub->add_option("--set", run.overrides,
                    "Override an axis or a setting: batch=1..64 pow2, rounds=3; values that hold "
                    "commas as a JSON list");
    sub->add_option("--device", run.device, "cpu, cuda:0 …");
    sub->add_option(
        "--model", run.model,
        "demo, FAMILY:VARIANT (vitok:350M-f16x64, resnet:18/10, llama:tiny …), a folder or a "
        ".safetensors file");
    sub->add_option("--images", run.images, "Folder or file with images (PNG, JPEG)");
    addFeeding(*sub, run.feeding);
    addCalibrationSet(*sub, run.calibration);
    sub->add_option("--seed", run.seed, "Seed of generated weights");
    sub->add_option("--max-time", run.maximumSeconds,
                    "Stop after this many seconds, also within a cell; --resume repeats that cell")
        ->check(CLI::NonNegativeNumber);
    addFailOn(*sub, run.failOn, run.undecided);
}

void addSensitivity(CLI::App& app, SensitivityCommand& sensitivity)
{
    CLI::App* sub = app.add_subcommand(
        "sensitivity", "Rank the layers of a run with --sensitivity by what quantizing them costs");
    sub->add_option("run", sensitivity.run, "Run folder")->required();
    sub->add_option("--limit", sensitivity.limit,
                    "Find the fewest layers to leave unquantized so that this holds, such as "
                    "\"ssim_mean >= 0.99\"; measures further cells in the run");
}

void addRegions(CLI::App& app, RegionsCommand& regions)
{
    CLI::App* sub = app.add_subcommand(
        "regions", "Find the regions of a run with compile modes such as regions:rope and "
                   "regions:norm that are best compiled together; measures further cells in it");
    sub->add_option("run", regions.run, "Run folder")->required();
    sub->add_option("--limit", regions.limit,
                    "Choices that miss it are not the answer: \"ssim_mean >= 0.99\"");
    sub->add_option("--objective", regions.objective,
                    "The least of what is best: time of a pass, memory at the peak, or passes "
                    "until compiling has paid off")
        ->check(CLI::IsMember(objectiveNames()))
        ->capture_default_str();
    sub->add_option("--seconds", regions.seconds,
                    "Measure no further cell of a search after so many seconds of measuring")
        ->check(CLI::PositiveNumber);
    sub->add_option("--budget", regions.budget, "Cells of one search at most, measured ones too")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
}

void addPeer(CLI::App& app, PeerCommand& peer)
{
    CLI::App* sub = app.add_subcommand(
        "peer",
        "Measure the network of a run in Python (torch.compile, torchao) and show it beside the "
        "run as reference results, without verdict");
    sub->add_option("run", peer.run, "Run folder with a bf16 eager cell")->required();
    sub->add_option("--attach", peer.attach,
                    "Measure nothing: copy this file of reference results into the run");
    sub->add_option("--precision", peer.precisions,
                    "bf16 (default), or what torchao has: int8dq, int8wo, float8wo, float8dq-row, "
                    "float8dq-tensor, int4wo-N; may be given several times")
        ->delimiter(',')
        ->allow_extra_args(false);
    sub->add_option("--mode", peer.modes,
                    "eager, default, reduce-overhead, max-autotune, max-autotune-no-cudagraphs; "
                    "may be given several times (default: eager,default)")
        ->delimiter(',')
        ->allow_extra_args(false);
    sub->add_option("--batch", peer.batches, "Batches (default: those of the run)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 65536));
    sub->add_option("--rounds", peer.rounds, "Rounds in which all rows take turns")
        ->check(CLI::Range(1, 1000));
    sub->add_option("--samples", peer.samples, "Samples of a row in a round")
        ->check(CLI::Range(1, 10000));
    sub->add_option("--device", peer.device, "cpu, cuda:0 … (default: that of the run)");
    sub->add_option("--python", peer.python,
                    "Interpreter with PyTorch, and torchao for quantized rows (default: the one "
                    "whose PyTorch the engine uses)");
    sub->add_option("--max-compile-time", peer.prepareSeconds,
                    "Compile no further row after this many seconds; such rows say so")
        ->check(CLI::NonNegativeNumber);
    sub->add_flag("--share-caches", peer.shareCaches,
                  "Let rows use what earlier rows compiled: sooner done, but the time of a first "
                  "call means less");
    sub->add_option("--prepare", peer.prepare,
                    "Measure nothing: write the script and all it needs into this folder, to be "
                    "run by hand or on another machine");
    sub->add_flag("--trust-paths", peer.trustPaths,
                  "Allow a run started elsewhere to read the models named in its plan");
}

}  // namespace qs::app
