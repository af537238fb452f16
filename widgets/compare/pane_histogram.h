#pragma once

#include <QImage>
#include <QRect>

#include <array>
#include <optional>

class QPainter;

namespace qs::widgets {

// How often each of the 256 levels occurs in each channel.
struct PaneHistogram {
    std::array<std::array<int, 256>, 3> counts{};  // red, green, blue

    bool operator==(const PaneHistogram&) const = default;
};

struct PaneImage;

[[nodiscard]] PaneHistogram histogramOf(const QImage& image);
// In the lower left corner of the area, upon whatever is there.
void paintHistogram(QPainter& painter, const QRect& area, const PaneHistogram& histogram);

// The histogram of what a pane shows, while it is wanted.
class PaneLevels final
{
public:
    // `content` must outlive the object.
    explicit PaneLevels(const PaneImage& content) : m_content(content) {}

    void setShown(bool shown);
    // The content is another one.
    void count();
    [[nodiscard]] const std::optional<PaneHistogram>& histogram() const { return m_histogram; }

private:
    const PaneImage& m_content;
    bool m_shown = false;
    std::optional<PaneHistogram> m_histogram;
};

}  // namespace qs::widgets
