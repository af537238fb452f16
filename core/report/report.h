#pragma once

#include "core/analysis/analysis.h"
#include "core/base/atomic_file.h"
#include "core/record/run_data.h"

#include <filesystem>
#include <string>

namespace qs::core {

inline constexpr int kReportSchemaVersion = 1;

struct ReportOptions {
    std::filesystem::path folder;  // receives the files; made if absent
    bool cells = true;             // cells.csv: one line per cell, over all rounds
    bool measurements = true;      // measurements.csv: one line per row of the journal
    bool samples = true;           // samples.csv: one line per pass
    bool layers = true;            // layers.csv, if the run has layer reports
    bool kernels = true;           // kernels.csv, if a cell has a profile
    bool json = true;              // report.json: all of it
    bool summary = true;           // summary.md
    bool html = true;              // report.html: one file with curves, tables and images
    bool environment = true;       // environment.json: where the rows were measured
    bool bundle = false;           // bundle.tar: the above with plan, environments and journal
    // Texts that a spreadsheet would run as a formula get an apostrophe in front. Numbers never do.
    bool formulaSafe = true;
};

// Writes the chosen files, each whole or not at all, replacing those of an earlier report.
[[nodiscard]] Status writeReport(const RunData& data, const Analysis& analysis,
                                 const ReportOptions& options);
// The archive alone: all of the files above with plan, environments and journal.
[[nodiscard]] Status writeBundle(const RunData& data, const Analysis& analysis,
                                 const std::filesystem::path& file);

// The contents, in UTF-8. Units are in the names of the columns; missing is empty (null in JSON).
// With untrained weights, what differs from the reference is called a numeric deviation and no
// quality. What grows with the rows comes piece by piece, so that it never lies in memory as a
// whole; rows that were not kept are read from the journal of the folder, see
// RunData::rowsInJournal.
[[nodiscard]] std::string cellsCsv(const RunData& data, const Analysis& analysis,
                                   bool formulaSafe = true);
[[nodiscard]] Status writeMeasurementsCsv(const RunData& data, const RowOutline& rows,
                                          bool formulaSafe, const TextSink& sink);
[[nodiscard]] Status writeSamplesCsv(const RunData& data, const RowOutline& rows, bool formulaSafe,
                                     const TextSink& sink);
// Of every layer report of the run, one line per layer, with a mismatch of any cell with these
// layers.
[[nodiscard]] Status writeLayersCsv(const RunData& data, const Analysis& analysis, bool formulaSafe,
                                    const TextSink& sink);
[[nodiscard]] Status writeReportJson(const RunData& data, const Analysis& analysis,
                                     const TextSink& sink);
[[nodiscard]] std::string summaryMarkdown(const RunData& data, const Analysis& analysis);
// One document that needs no other file and no network, of at most 5 MB; images come from the run
// folder.
[[nodiscard]] std::string reportHtml(const RunData& data, const Analysis& analysis);

}  // namespace qs::core
