#pragma once

#include "widgets/compare/image_sheet.h"
#include "widgets/compare/image_tone.h"

#include <QObject>
#include <QString>

#include <array>

class QAction;
class QMenu;

namespace qs::widgets {

// The part of a menu that changes how images are seen: exposure, channel, histogram, and the sheets
// of many images.
class ImageTools final : public QObject
{
    Q_OBJECT

public:
    // Adds to the menu, which must outlive the object.
    ImageTools(QMenu& menu, QObject* parent);

    [[nodiscard]] const ImageTone& tone() const { return m_tone; }
    [[nodiscard]] bool isHistogramWanted() const;
    // "exposure +2 · red"; empty for images as they are.
    [[nodiscard]] QString toneText() const;
    // E and D change the exposure, C the channel, H the histogram, G shows the sheet.
    bool handleKey(int key);

Q_SIGNALS:
    void toneChanged();
    void histogramToggled();
    void sheetWanted(qs::widgets::ImageSheet::Kind kind);

private:
    QAction* add(QMenu& menu, const char* name, const QString& text, const QString& tip);
    void addExposure(QMenu& menu);
    void addChannels(QMenu& menu);
    void setTone(const ImageTone& tone);

    ImageTone m_tone;
    std::array<QAction*, kImageChannels.size()> m_channels{};
    QAction* m_histogram = nullptr;
};

}  // namespace qs::widgets
