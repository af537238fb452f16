#include "app/cli/command_options.h"
#include "core/run/cache_contents.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace qs::app {

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
    for (const core::CacheKind kind : core::kCacheKinds.values())
        kinds.emplace_back(core::kCacheKinds.of(kind));
    CLI::App* sub =
        app.add_subcommand("cache", "Show or clear what is kept to be quicker: prepared "
                                    "inputs, calibration, compiled packages, kernels");
    sub->require_subcommand(1);
    sub->add_subcommand("list", "Files and bytes of each cache, and its folder");
    CLI::App* clear = sub->add_subcommand("clear", "Remove the files of a cache, or of all");
    clear->add_option("kind", cache.kind, "inputs, calibration, packages or kernels; default: all")
        ->check(CLI::IsMember(kinds));
    clear->callback([&cache] { cache.clear = true; });
}

void addCalibration(CLI::App& app, CalibrationCommand& calibration)
{
    CLI::App* sub = app.add_subcommand(
        "calibration", "Statistics and weights that calibration made: list, save, load");
    sub->require_subcommand(1);
    sub->add_subcommand("list", "Check and show each entry of the cache");
    CLI::App* save = sub->add_subcommand("export", "Copy entries of the cache into a folder");
    save->add_option("folder", calibration.exportTo, "Folder; made if it is not there")->required();
    CLI::App* load = sub->add_subcommand(
        "import", "Copy entries into the cache; damaged ones are refused. Weights are taken as the "
                  "entries have them: import only those of people you trust");
    load->add_option("source", calibration.importFrom, "Folder, or one entry")->required();
    for (CLI::App* each : {save, load})
        each->add_option("--entry", calibration.entries,
                         "Only entries whose name begins so, as \"calibration list\" shows it; may "
                         "be given several times")
            ->allow_extra_args(false);
}

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

}  // namespace qs::app
