#pragma once

#include "core/model/workload.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

enum class MetricUnit { None, Fraction, Seconds, Bytes, Decibel, Nats, PerSecond, Joules };
enum class Better { Higher, Lower };

// What a number of a cell is: one row, from which files, tables, plots, gates and editors are made.
// core/analysis/metric_values.h says where its value comes from.
struct Metric {
    std::string name = {};    // in gates, files and settings: "throughput", "ssim_mean"
    std::string column = {};  // of cells.csv, with its unit: "psnr_mean_db"
    std::string title = {};   // for people: "SSIM mean"
    std::string about = {};   // one sentence
    MetricUnit unit = MetricUnit::None;
    Better better = Better::Higher;
    int digits = 4;                // significant ones that tables show
    bool overRounds = false;       // varies from repeat to repeat: has an interval
    bool plotted = false;          // can be the vertical axis of curves
    bool comparesOutputs = false;  // with those of the quality reference
    bool needsTraining = false;    // says nothing of untrained weights
    bool rare = false;             // left out of files and tables where no cell has it
    bool ofLabels = false;         // of the outputs below alone
    bool elsewhere = false;        // files have it among other figures, with no column here
    bool ofBaseline = false;       // held against the speed baseline: that has none itself
    bool ofPasses = false;         // how those of a repeat differ: needs several
    bool ofCompiler = false;       // made of what the compiler took, which may be an upper limit
    bool besideCompiling = false;  // an expectation of it belongs beside what compiling costs
    int stage = 0;                 // counted from 1: of this stage; files name it by that
    std::vector<OutputKind> outputs = {};  // of these kinds only; empty: of any
    std::string outputMetric = {};         // that it is the mean or the worst of; empty: of none
    bool worst = false;

    [[nodiscard]] bool appliesTo(OutputKind kind) const;
};

// How an output differs from the same output of a reference: one number for each output, of which
// a cell has the mean and the worst. Two metrics are made of it, NAME_mean and NAME_worst.
struct OutputMetric {
    std::string name = {};  // in records: "ssim"
    std::string title = {};
    std::string about = {};
    std::vector<OutputKind> outputs = {};
    MetricUnit unit = MetricUnit::None;
    Better better = Better::Lower;
    double identical = 0.0;  // of an output that equals its reference; may be infinite
    int digits = 3;
    bool needsTraining = false;
    // For outputs of these kinds it is how far they are apart, as the difference from `identical`:
    // what the noise floor, verdicts and answers are made of. Each kind has one.
    std::vector<OutputKind> isDistanceOf = {};
    // For outputs of these kinds it tells apart what the distance above takes for equal: outputs
    // with the same choices. The noise floor is one of both.
    std::vector<OutputKind> isFinerDistanceOf = {};
    bool inTables = false;  // shown unless the reader hides it
    bool rare = false;      // as of a metric

    [[nodiscard]] bool appliesTo(OutputKind kind) const;
    // Of a value from that of equal outputs; 0 or more.
    [[nodiscard]] double distance(double value) const;
};

// The metrics that the program knows. What a program adds of its own, it adds at its start.
class MetricRegistry final
{
public:
    MetricRegistry();

    void add(Metric metric);
    void add(OutputMetric metric);

    // In the order in which files and lists show them.
    [[nodiscard]] const std::deque<Metric>& metrics() const { return m_metrics; }
    [[nodiscard]] const std::deque<OutputMetric>& outputMetrics() const { return m_outputs; }
    // By name or column; null if there is none.
    [[nodiscard]] const Metric* find(std::string_view name) const;
    [[nodiscard]] const OutputMetric* findOutput(std::string_view name) const;
    [[nodiscard]] const OutputMetric& distanceOf(OutputKind kind) const;
    // Null where that one is fine enough.
    [[nodiscard]] const OutputMetric* finerDistanceOf(OutputKind kind) const;
    // How like their references outputs of this kind are, 1 for equal ones: SSIM of images, the
    // share of equal choices of classes and tokens, the cosine of everything else.
    [[nodiscard]] const OutputMetric& likenessOf(OutputKind kind) const;

private:
    std::deque<Metric> m_metrics;
    std::deque<OutputMetric> m_outputs;
};

[[nodiscard]] MetricRegistry& metricRegistry();

// "ssim_mean", "ssim_worst": the metrics of a cell that are made of an output metric.
[[nodiscard]] std::string meanOf(std::string_view outputMetric);
[[nodiscard]] std::string worstOf(std::string_view outputMetric);

}  // namespace qs::core
