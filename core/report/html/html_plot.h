#pragma once

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

struct PlotPoint {
    double x = 0.0;
    double y = 0.0;
    std::optional<double> lower = {};  // of y
    std::optional<double> upper = {};
    std::string about = {};  // shown when a pointer rests on it
};

struct PlotSeries {
    std::string name;
    int colour = 0;        // by precision
    int dash = 0;          // by compile mode; also the mark
    bool foreign = false;  // not of the run: hollow marks and a dotted line
    std::vector<PlotPoint> points = {};
};

struct Plot {
    std::string id;  // of the SVG; unique on the page
    std::string xTitle;
    std::string yTitle;
    bool xLog = false;
    bool yLog = false;
    bool joined = true;               // points of a series by a line
    std::vector<double> xTicks = {};  // empty: round numbers
    std::vector<PlotSeries> series = {};
    std::vector<PlotPoint> frontier = {};  // a line of its own
    std::optional<double> xLimit = {};     // a vertical line: the noise floor, a limit
    std::string xLimitName = {};
    // Of a logarithmic axis that zero has a place on, left of all else: what zero is called there.
    std::string xZeroName = {};
};

// The plot as SVG and its legend, whose entries hide and show series. Needs no script to be read.
// Points that a logarithmic axis cannot have are left out; empty without any point.
[[nodiscard]] std::string svgPlot(const Plot& plot);

}  // namespace qs::core
