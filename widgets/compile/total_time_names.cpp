#include "widgets/compile/total_time_names.h"

#include "widgets/models/cell_text.h"
#include "widgets/models/short_names.h"

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr std::size_t kMostNamed = 10;  // of lines; the tooltip of a line has its name

// Reruns look like what they rerun; their tooltip tells them.
bool areFactored(const TotalTimes& times)
{
    return std::none_of(times.lines.begin(), times.lines.end(), [](const TotalTimeLine& line) {
        return line.precision.isEmpty() || line.compile.isEmpty();
    });
}

void addNew(std::vector<LineName>& names, const LineName& name)
{
    if (std::none_of(names.begin(), names.end(),
                     [&](const LineName& each) { return each.text == name.text; }))
        names.push_back(name);
}

}  // namespace

std::vector<LineName> lineNames(const TotalTimes& times, const std::vector<CurveStyle>& styles,
                                const PlotTheme& theme)
{
    std::vector<LineName> precisions;
    std::vector<LineName> modes;
    std::vector<LineName> lines;
    QStringList cells;
    for (const TotalTimeLine& line : times.lines)
        cells << line.name;
    cells = shortNames(cells);
    for (std::size_t i = 0; i < times.lines.size(); ++i) {
        const TotalTimeLine& line = times.lines[i];
        const CurveStyle& style = styles[i];
        addNew(precisions, {line.precision,
                            QPen(style.color, theme.lineWidth * 3.0, Qt::SolidLine, Qt::FlatCap)});
        addNew(modes, {compileText(line.compile.toStdString()),
                       linePen(style, theme.text, theme.lineWidth)});
        if (lines.size() < kMostNamed)
            lines.push_back(
                {cells[static_cast<qsizetype>(i)], linePen(style, style.color, theme.lineWidth)});
    }
    if (!areFactored(times) || precisions.size() + modes.size() > times.lines.size())
        return lines;
    precisions.insert(precisions.end(), modes.begin(), modes.end());
    return precisions;
}

}  // namespace qs::widgets
