#pragma once

#include "app/cli/commands.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

// The options of each command: what its struct in commands.h is filled from.
namespace qs::app {

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
    CalibrationCommand calibration;
    ConvertCommand convert;
    TrustCommand trust;
    std::vector<std::string> presets;
    PresetConvertCommand presetConvert;
};

void addRun(CLI::App& app, RunCommand& run);
void addInspect(CLI::App& app, InspectCommand& inspect);
void addExportExample(CLI::App& app, ExportExampleCommand& example);
void addSensitivity(CLI::App& app, SensitivityCommand& sensitivity);
void addRegions(CLI::App& app, RegionsCommand& regions);
void addQuantize(CLI::App& app, QuantizeCommand& quantize);
void addReport(CLI::App& app, ReportCommand& report);
void addPeer(CLI::App& app, PeerCommand& peer);
void addCompare(CLI::App& app, CompareCommand& compare);
void addRepair(CLI::App& app, RepairCommand& repair);
void addCache(CLI::App& app, CacheCommand& cache);
void addCalibration(CLI::App& app, CalibrationCommand& calibration);
void addConvert(CLI::App& app, ConvertCommand& convert);
void addTrust(CLI::App& app, TrustCommand& trust);
void addPreset(CLI::App& app, Request& request);

// What several commands have.
void addFailOn(CLI::App& sub, std::vector<std::string>& failOn, std::string& undecided);
void addFeeding(CLI::App& sub, FeedingOptions& feeding);
void addCalibrationSet(CLI::App& sub, CalibrationOptions& calibration);

}  // namespace qs::app
