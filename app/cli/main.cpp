#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/interrupts.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal_text.h"
#include "core/base/caught.h"
#include "core/base/clean_text.h"
#include "core/report/profiles/profile_registry.h"
#include "core/run/cache_contents.h"
#include "core/sweep/settle_plan.h"
#include "core/sweep/speed_baseline_name.h"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace qs::app;

void addFailOn(CLI::App& sub, std::vector<std::string>& failOn, std::string& undecided)
{
    sub.add_option("--fail-on", failOn,
                   "Exit with 1 if a cell fails a gate: \"gates\" (those of the preset), or a gate "
                   "such as \"ssim_mean >= 0.99\". A gate on a time, throughput or speed-up passes "
                   "if the whole 95 % interval does; if the interval contains the limit, or with "
                   "fewer than three repeats, it is undecided, which also exits with 1")
        ->allow_extra_args(false);
    sub.add_option("--undecided", undecided,
                   "How undecided gates of --fail-on count: fail (default) or pass")
        ->check(CLI::IsMember({"fail", "pass"}));
}

void addFeeding(CLI::App& sub, FeedingOptions& feeding)
{
    sub.add_option("--input", feeding.inputs,
                   "What an input is fed with: x=images:range=0..1:mean=0.485,0.456,0.406:"
                   "std=0.229,0.224,0.225:channels=rgb:layout=nchw, x=uniform:range=0..1, "
                   "x=normal:mean=0:std=1, x=file:inputs.npy, x=file:inputs.safetensors#x, "
                   "tokens=file:ids.txt, tokens=text:prompts.txt:tokenizer=tokenizer.json:pad=0")
        ->allow_extra_args(false);
    sub.add_option("--weights", feeding.weights,
                   "Whether the weights of an exported program are trained")
        ->check(CLI::IsMember({"trained", "untrained"}));
    sub.add_option("--stage", feeding.stages,
                   "A stage of an exported program and the module it begins with, in the order of "
                   "the program: encoder=model.encoder")
        ->allow_extra_args(false);
    sub.add_option("--output", feeding.output,
                   "The output that is judged, and what it holds: output_0, output_0:classes "
                   "(image, logits, tokens, classes, embedding, tensor)");
}

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
        ->check(CLI::Range(1, qs::core::kMostSettleRounds));
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
                    "Override an axis or a setting: batch=1..64 pow2, rounds=3");
    sub->add_option("--device", run.device, "cpu, cuda:0 …");
    sub->add_option(
        "--model", run.model,
        "demo, FAMILY:VARIANT (vitok:350M-f16x64, resnet:18/10, llama:tiny …), a folder or a "
        ".safetensors file");
    sub->add_option("--images", run.images, "Folder or file with images (PNG, JPEG)");
    addFeeding(*sub, run.feeding);
    sub->add_option("--seed", run.seed, "Seed of generated weights");
    sub->add_option("--max-time", run.maximumSeconds,
                    "Stop after this many seconds, also within a cell; --resume repeats that cell")
        ->check(CLI::NonNegativeNumber);
    addFailOn(*sub, run.failOn, run.undecided);
}

void addInspect(CLI::App& app, InspectCommand& inspect)
{
    CLI::App* sub = app.add_subcommand(
        "inspect", "Show the stages, parameters and layers of a model without running it");
    sub->add_option(
           "model", inspect.model,
           "demo, FAMILY:VARIANT (vitok:350M-f16x64, resnet:18/10, llama:tiny …), a folder, a "
           ".safetensors file or a .pt2 of torch.export.save")
        ->required();
    sub->add_option("--precision", inspect.precision, "Scheme, or encoder/decoder: bf16/int8dq");
    sub->add_option("--layers", inspect.layers, "Layer filter: all, mlp, attention, regex:EXPR …");
    sub->add_option("--size", inspect.sizes,
                    "A size of the model: image_size=512, prompt_tokens=128 …");
    sub->add_option("--batch", inspect.batch, "Samples per pass")->check(CLI::Range(1, 65536));
    addFeeding(*sub, inspect.feeding);
    sub->add_option("--seed", inspect.seed, "Seed of generated weights");
    sub->add_flag("--table", inspect.allLayers, "List every layer");
    sub->add_flag("--json", inspect.json, "Print everything as JSON, with every layer");
}

void addExportExample(CLI::App& app, ExportExampleCommand& example)
{
    CLI::App* sub = app.add_subcommand(
        "export-example", "Print the three lines of Python that save a model for QuantScope");
    sub->add_option("--model", example.model, "Name of the model in Python (default: model)");
    sub->add_option("--argument", example.input,
                    "Name of the argument of its forward(), which is the name of an example tensor "
                    "as well (default: x)");
    sub->add_flag("--checkpoint", example.checkpoint,
                  "Save a .pth with a state_dict as safetensors instead");
}

void addReport(CLI::App& app, ReportCommand& report)
{
    CLI::App* sub = app.add_subcommand("report", "Export a run folder");
    sub->add_option("run", report.run, "Run folder")->required();
    sub->add_option("--out", report.out, "Output folder; default: the run folder");
    sub->add_option("--baseline", report.baseline, qs::core::speedBaselineList() + " or a cell id");
    sub->add_option(
        "--price", report.price,
        "Device price per hour, e.g. 2.5:USD; adds the cost of the run and of a million images");
    sub->add_flag("--csv", report.csv,
                  "cells.csv, measurements.csv, samples.csv, environment.json");
    sub->add_flag("--json", report.json, "Everything as JSON");
    sub->add_flag("--md", report.markdown, "summary.md");
    sub->add_flag("--html", report.html,
                  "report.html: curves, tables and images in one file that loads nothing");
    sub->add_option("--bundle", report.bundle, "Archive with reports, plan and journal");
    std::string profiles;
    for (const qs::core::ExportProfile& profile : qs::core::exportProfiles())
        profiles += (profiles.empty() ? "" : ", ") + profile.id;
    sub->add_option("--profile", report.profile,
                    "Files and fields of a document, into the folder of --out: " + profiles);
    addFailOn(*sub, report.failOn, report.undecided);
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

void addCompare(CLI::App& app, CompareCommand& compare)
{
    CLI::App* sub = app.add_subcommand(
        "compare", "Compare runs: two GPUs, two builds, two checkpoints, yesterday and today");
    sub->add_option("runs", compare.runs, "Run folders; the others are compared with the first")
        ->required()
        ->expected(2, -1);
    sub->add_option("--md", compare.markdown,
                    "Write Markdown to this file; printed if no file is named");
    sub->add_option("--csv", compare.csv, "Write a table of the cells to this file");
    sub->add_option("--json", compare.json, "Write everything to this file");
    sub->add_option("--fail-on", compare.failOn,
                    "Exit with 1 if any cell of a later run is slower, has worse outputs "
                    "(quality), needs more than 1 % more memory, is broken, is missing or is "
                    "undecided; may be given several times")
        ->delimiter(',')
        ->allow_extra_args(false);
}

void addRepair(CLI::App& app, RepairCommand& repair)
{
    CLI::App* sub = app.add_subcommand("repair", "Copy a run with a damaged journal without its "
                                                 "unreadable records, so that it can be resumed");
    sub->add_option("run", repair.run, "Run folder")->required();
    sub->add_option("--out", repair.out, "Folder to create; default: RUN-repaired");
    sub->add_flag("--in-place", repair.inPlace,
                  "Repair the run in place; the damaged journal is kept under another name");
}

void addConvert(CLI::App& app, ConvertCommand& convert)
{
    CLI::App* sub = app.add_subcommand(
        "convert",
        "Convert a TorchScript file to a .pt2, or try a package of AOTInductor (both run the "
        "file once, if you trust it");
    sub->add_option("program", convert.program,
                    "File of torch.jit.save or of aoti_compile_and_package")
        ->required();
    sub->add_option("--input", convert.inputs,
                    "Type and sizes of an input, in the order of forward(): "
                    "x=float32[batch,3,224,224], int64[batch,128]")
        ->allow_extra_args(false);
    sub->add_option("--out", convert.out,
                    "File to write; default: beside it, ending in .pt2 (of a package, in "
                    ".package.json)");
    sub->add_flag("--replace", convert.replace, "Replace the file if it exists");
    sub->add_option("--trust", convert.trust, "SHA-256 of the file: run it without asking");
    sub->add_flag("--remember", convert.remember, "Do not ask again for this file");
}

void addTrust(CLI::App& app, TrustCommand& trust)
{
    CLI::App* sub = app.add_subcommand("trust", "Show or forget the programs that you trust");
    sub->require_subcommand(1);
    sub->add_subcommand("list", "SHA-256 and name of each");
    sub->add_subcommand("forget", "Ask again before that program is run")
        ->add_option("sha256", trust.forget, "SHA-256 of the file")
        ->required();
}

void addCache(CLI::App& app, CacheCommand& cache)
{
    std::vector<std::string> kinds;
    for (const qs::core::CacheKind kind : qs::core::kCacheKinds.values())
        kinds.emplace_back(qs::core::kCacheKinds.of(kind));
    CLI::App* sub =
        app.add_subcommand("cache", "Show or clear what is kept to be quicker: prepared "
                                    "inputs, calibration, compiled packages");
    sub->require_subcommand(1);
    sub->add_subcommand("list", "Files and bytes of each cache, and its folder");
    CLI::App* clear = sub->add_subcommand("clear", "Remove the files of a cache, or of all");
    clear->add_option("kind", cache.kind, "inputs, calibration or packages; default: all")
        ->check(CLI::IsMember(kinds));
    clear->callback([&cache] { cache.clear = true; });
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
    sub->add_option("--budget", regions.budget, "Cells of one search at most, measured ones too")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
}

void addQuantize(CLI::App& app, QuantizeCommand& quantize)
{
    CLI::App* sub = app.add_subcommand("quantize", "Write a model with quantized weights");
    sub->add_option("model", quantize.model,
                    "demo, FAMILY:VARIANT, a folder or a .safetensors file")
        ->required();
    sub->add_option("--precision", quantize.precision, "Scheme, or encoder/decoder: bf16/int8wo")
        ->required();
    sub->add_option("--out", quantize.out, "Folder to create")->required();
    sub->add_option("--format", quantize.format,
                    "quantscope (all precisions), compressed-tensors (pack-quantized: gptq-int4-N, "
                    "int8wo), torchao (int8dq, int8wo, float8…) or pt2 (torch.export, one file per "
                    "stage)")
        ->check(CLI::IsMember({"quantscope", "compressed-tensors", "torchao", "pt2"}));
    sub->add_option("--layers", quantize.layers, "Layer filter: all, mlp, only:LAYERS …");
    sub->add_option("--device", quantize.device, "Device that quantizes: cpu, cuda:0 …");
    sub->add_option("--seed", quantize.seed, "Seed of generated weights");
}

// What no command can mean: names that are empty, and names that could not be put into a plan.
qs::core::Status checkArguments(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const std::string which = "argument " + std::to_string(i);
        if (argument.empty())
            return qs::core::Error{qs::core::ErrorCode::InvalidArgument, which + " is empty"};
        if (!qs::core::isUtf8(argument))
            return qs::core::Error{qs::core::ErrorCode::InvalidArgument,
                                   which + " is not UTF-8: " + argument};
    }
    return {};
}

// What the arguments ask for: the command, and what each command is told.
struct Request {
    RunCommand run;
    InspectCommand inspect;
    ExportExampleCommand exportExample;
    SensitivityCommand sensitivity;
    RegionsCommand regions;
    QuantizeCommand quantize;
    ReportCommand report;
    PeerCommand peer;
    CompareCommand compare;
    RepairCommand repair;
    CacheCommand cache;
    ConvertCommand convert;
    TrustCommand trust;
    std::vector<std::string> presets;
    PresetConvertCommand presetConvert;
};

void addPreset(CLI::App& app, Request& request)
{
    CLI::App* sub = app.add_subcommand("preset", "Work with presets")->require_subcommand(1);
    sub->add_subcommand("check", "Check presets; report every problem with its JSON path")
        ->add_option("files", request.presets, "Preset files")
        ->required();
    CLI::App* convert = sub->add_subcommand(
        "convert", "List the runs of a sweep of OlmoEarth's throughput benchmark, and what of it "
                   "is not used; write it as a preset");
    convert
        ->add_option("source", request.presetConvert.source,
                     "JSON with ThroughputBenchmarkRunnerConfig or RunParams, or the name of a run")
        ->required();
    convert->add_option("--out", request.presetConvert.out, "Preset to write");
}

void addCommands(CLI::App& app, Request& request)
{
    addRun(app, request.run);
    addInspect(app, request.inspect);
    addExportExample(app, request.exportExample);
    addSensitivity(app, request.sensitivity);
    addRegions(app, request.regions);
    addQuantize(app, request.quantize);
    addReport(app, request.report);
    addPeer(app, request.peer);
    addCompare(app, request.compare);
    addRepair(app, request.repair);
    addCache(app, request.cache);
    addConvert(app, request.convert);
    addTrust(app, request.trust);
    app.add_subcommand("devices", "Show the CPU and GPUs");
    addPreset(app, request);
    app.add_subcommand("selftest", "Run a small sweep on every device");
}

int runProgram(int argc, char** argv)
{
    if (const qs::core::Status status = checkArguments(argc, argv); !status.ok())
        return fail(status.error());
    CLI::App app{"QuantScope: compare quantization modes of PyTorch models", "quantscope-cli"};
    app.set_version_flag("--version", "QuantScope " QS_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 ok, 1 a cell or a gate failed, a gate is undecided, or part of the journal "
        "is unreadable,\n2 usage, 3 impossible configuration, 4 out of memory, 5 CUDA error, 6 "
        "timeout,\n75 stopped early (resume with --resume), also when standard output is closed.");
    Request request;
    addCommands(app, request);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream output;
        std::ostringstream errors;
        const int code = app.exit(error, output, errors);
        sayText(output.str());
        if (!errors.str().empty())
            complainText(errors.str());
        return code == 0 ? kExitOk : kExitUsage;
    }
    if (app.got_subcommand("run"))
        return runCommand(request.run);
    const Interrupts interrupts(endBySignal);
    if (app.got_subcommand("inspect"))
        return inspectCommand(request.inspect);
    if (app.got_subcommand("export-example"))
        return exportExampleCommand(request.exportExample);
    if (app.got_subcommand("sensitivity"))
        return sensitivityCommand(request.sensitivity);
    if (app.got_subcommand("regions"))
        return regionsCommand(request.regions);
    if (app.got_subcommand("quantize"))
        return quantizeCommand(request.quantize);
    if (app.got_subcommand("report"))
        return reportCommand(request.report);
    if (app.got_subcommand("peer"))
        return peerCommand(request.peer);
    if (app.got_subcommand("compare"))
        return compareCommand(request.compare);
    if (app.got_subcommand("repair"))
        return repairCommand(request.repair);
    if (app.got_subcommand("cache"))
        return cacheCommand(request.cache);
    if (app.got_subcommand("convert"))
        return convertCommand(request.convert);
    if (app.got_subcommand("trust"))
        return trustCommand(request.trust);
    if (app.got_subcommand("devices"))
        return devicesCommand();
    if (app.got_subcommand("preset"))
        return app.get_subcommand("preset")->got_subcommand("convert")
                   ? presetConvertCommand(request.presetConvert)
                   : presetCheckCommand(request.presets);
    return selftestCommand();
}

}  // namespace

int main(int argc, char** argv)
{
    prepareStandardStreams();
    qs::core::sayLastWords("quantscope-cli", kExitOutOfMemory, kExitCellFailed);
    try {
        return finishStandardOutput(runProgram(argc, argv));
    } catch (...) {
        return fail(qs::core::caughtError());
    }
}
