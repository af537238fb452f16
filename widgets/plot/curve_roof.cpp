#include "widgets/plot/curve_roof.h"

#include "core/device/peak_rates.h"
#include "core/quant/scheme.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

namespace qs::widgets {

namespace {

struct CurveRoofWords {
    Q_DECLARE_TR_FUNCTIONS(CurveRoof)
};

// Where the rows of a device id were measured, or else what was planned for.
const core::DeviceDescription* deviceOf(const core::RunData& data, const std::string& id)
{
    const auto findIn = [&](const std::vector<core::DeviceDescription>& devices) {
        const auto found = std::find_if(devices.begin(), devices.end(),
                                        [&](const auto& device) { return device.id == id; });
        return found == devices.end() ? nullptr : &*found;
    };
    // Several environments may know the id as different devices.
    if (data.environments.size() > 1)
        return nullptr;
    if (data.environments.size() == 1) {
        if (const auto* device = findIn(data.environments.front().devices))
            return device;
    }
    return findIn(data.plan.devices);
}

// Places and limits of one line; a second limit at the same place makes the line impossible.
struct Line {
    QString products;  // "16 bit"
    std::set<QString> precisions;
    std::map<double, double> points;
    bool contradictory = false;

    void add(double x, double y)
    {
        const auto [known, isNew] = points.try_emplace(x, y);
        contradictory = contradictory || (!isNew && std::abs(known->second - y) > 1e-6 * y);
    }
};

// Every cell of the set with its place, and the device they all ran on; null if there are several.
class Cells final
{
public:
    Cells(const CurveSet& set, const core::RunData& data)
    {
        std::unordered_map<std::string_view, const core::PlannedCell*> planned;
        for (const core::PlannedCell& cell : data.plan.cells)
            planned.emplace(cell.id, &cell);
        std::set<std::string> devices;
        for (const Curve& curve : set.curves) {
            for (const CurvePoint& point : curve.points) {
                const auto found = planned.find(point.cellId.toStdString());
                if (found == planned.end())
                    continue;
                m_places.emplace_back(point.x, found->second);
                devices.insert(found->second->config.device);
            }
        }
        if (devices.size() == 1)
            m_device = deviceOf(data, *devices.begin());
    }

    [[nodiscard]] const core::DeviceDescription* device() const { return m_device; }
    [[nodiscard]] const auto& places() const { return m_places; }

private:
    std::vector<std::pair<double, const core::PlannedCell*>> m_places;
    const core::DeviceDescription* m_device = nullptr;
};

QString productsOf(const core::PeakRates& peaks, double rate)
{
    if (rate == peaks.bits8)
        return CurveRoofWords::tr("8 bit");
    if (rate == peaks.bits16)
        return CurveRoofWords::tr("16 bit");
    // A device without tf32 runs it as fp32.
    return rate == peaks.bits32 ? QStringLiteral("fp32") : QStringLiteral("tf32");
}

double limitAt(const core::Metric& metric, const core::PlannedCell& cell, double rate)
{
    const double seconds = cell.flops / rate;
    const auto units = static_cast<double>(cell.unitsPerPass);
    if (metric.unit == core::MetricUnit::PerSecond)
        return units / seconds;
    return metric.name == "latency" ? seconds * 1e3 : seconds * 1e3 / units;
}

CurveRoof roofOf(const Line& line, const QString& name)
{
    CurveRoof roof;
    roof.name = name;
    if (line.precisions.size() == 1)
        roof.precision = *line.precisions.begin();
    for (const auto& [x, y] : line.points)
        roof.points.emplace_back(x, y);
    return roof;
}

std::vector<CurveRoof> speedRoofs(const CurveSet& set, const Cells& cells)
{
    const auto peaks = core::publishedPeakRates(*cells.device());
    if (!peaks)
        return {};
    std::map<double, Line> lines;  // by rate
    for (const auto& [x, cell] : cells.places()) {
        const auto rate = core::fastestRate(*peaks, cell->config.precision);
        if (!rate || cell->flops <= 0.0)
            continue;
        Line& line = lines[*rate];
        line.add(x, limitAt(*set.metric, *cell, *rate));
        line.products = productsOf(*peaks, *rate);
        line.precisions.insert(QString::fromStdString(core::precisionText(cell->config)));
    }
    std::vector<CurveRoof> roofs;
    for (const auto& [rate, line] : lines) {
        if (!line.contradictory)
            roofs.push_back(roofOf(line, CurveRoofWords::tr("peak, %1: %2 TFLOP/s")
                                             .arg(line.products, significantText(rate / 1e12, 4))));
    }
    return roofs;
}

std::vector<CurveRoof> memoryRoofs(const Cells& cells)
{
    const core::DeviceDescription& device = *cells.device();
    if (device.memoryBytes <= 0)
        return {};
    Line line;
    const double gibibytes = static_cast<double>(device.memoryBytes) / kBytesPerGibibyte;
    for (const auto& [x, cell] : cells.places())
        line.add(x, gibibytes);
    return {
        roofOf(line, CurveRoofWords::tr("memory of %1: %2 GiB")
                         .arg(QString::fromStdString(device.name), significantText(gibibytes, 4)))};
}

}  // namespace

std::vector<CurveRoof> makeRoofs(const CurveSet& set, const core::RunData& data)
{
    const Cells cells(set, data);
    if (set.metric == nullptr || cells.device() == nullptr)
        return {};
    if (set.metric->unit == core::MetricUnit::Bytes)
        return memoryRoofs(cells);
    const bool ofSpeed = set.metric->unit == core::MetricUnit::PerSecond ||
                         set.metric->unit == core::MetricUnit::Seconds;
    return ofSpeed ? speedRoofs(set, cells) : std::vector<CurveRoof>();
}

}  // namespace qs::widgets
