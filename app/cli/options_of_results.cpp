#include "app/cli/command_options.h"
#include "core/report/profiles/profile_registry.h"
#include "core/sweep/speed_baseline_name.h"

#include <CLI/CLI.hpp>

#include <string>

namespace qs::app {

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

void addReport(CLI::App& app, ReportCommand& report)
{
    CLI::App* sub = app.add_subcommand("report", "Export a run folder");
    sub->add_option("run", report.run, "Run folder")->required();
    sub->add_option("--out", report.out, "Output folder; default: the run folder");
    sub->add_option("--baseline", report.baseline, core::speedBaselineList() + " or a cell id");
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
    for (const core::ExportProfile& profile : core::exportProfiles())
        profiles += (profiles.empty() ? "" : ", ") + profile.id;
    sub->add_option("--profile", report.profile,
                    "Files and fields of a document, into the folder of --out: " + profiles);
    addFailOn(*sub, report.failOn, report.undecided);
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
    sub->add_option(
           "--fail-on", compare.failOn,
           "Exit with 1 if any cell of a later run is slower, has worse outputs "
           "(quality; quality=0.005: the mean SSIM, or what else outputs are judged by, fell "
           "by more), needs more than 1 % more memory, is broken, is missing or is "
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

}  // namespace qs::app
