#pragma once

#include "widgets/compare/compare_panes.h"
#include "widgets/compare/image_sheet.h"
#include "widgets/compare/image_tone.h"
#include "widgets/compare/image_tools.h"

#include <QImage>
#include <QObject>
#include <QString>

namespace qs::widgets {

// What a comparison gives away of its images, and how it shows them: tone, histograms, copies,
// crops and the sheets of many images.
class CompareTools final : public QObject
{
    Q_OBJECT

public:
    struct Parts {
        RunStore& store;
        const ComparedCells& cells;
        const SharedView& view;
        const ComparePanes& panes;
        CompareControls& controls;
        TonedImages& tones;
    };

    // Adds to the menu of the controls. Everything given must outlive the object; sheets become
    // children of `window`.
    CompareTools(const Parts& parts, QWidget& window);

    // "exposure +2 · red"; empty for images as they are.
    [[nodiscard]] QString toneText() const { return m_menu.toneText(); }
    bool handleKey(int key) { return m_menu.handleKey(key); }
    // That of the pane in hand, else that of A.
    void copyImage() const;
    void showSheet(ImageSheet::Kind kind);

Q_SIGNALS:
    // An image as a file of its own; `name` without ending.
    void saveWanted(const QImage& image, const QString& name);

private:
    void showImageMenu(const PicturePane* pane, const QPoint& position);
    // The drawn region, or what of the image lies in the pane; in pixels of its image.
    [[nodiscard]] QRect partOf(const PicturePane& pane) const;

    Parts m_from;
    QWidget& m_window;
    ImageTools m_menu;
    ImageSheet* m_sheet = nullptr;  // made when first asked for
};

}  // namespace qs::widgets
