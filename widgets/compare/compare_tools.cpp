#include "widgets/compare/compare_tools.h"

#include "widgets/compare/compare_text.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace qs::widgets {

CompareTools::CompareTools(const Parts& parts, QWidget& window)
    : QObject(&window), m_from(parts), m_window(window), m_menu(parts.controls.paneMenu(), nullptr)
{
    connect(&m_menu, &ImageTools::toneChanged, this,
            [this] { m_from.tones.setTone(m_menu.tone()); });
    connect(&m_menu, &ImageTools::histogramToggled, this, [this] {
        for (PicturePane* pane : m_from.panes.all()) {
            pane->levels().setShown(m_menu.isHistogramWanted());
            pane->update();
        }
    });
    connect(&m_menu, &ImageTools::sheetWanted, this, &CompareTools::showSheet);
    connect(&m_from.panes, &ComparePanes::menuWanted, this, &CompareTools::showImageMenu);
}

void CompareTools::showSheet(ImageSheet::Kind kind)
{
    if (m_sheet == nullptr)
        m_sheet = new ImageSheet(m_from.store, m_from.cells, &m_window);
    m_sheet->showKind(kind);
}

QRect CompareTools::partOf(const PicturePane& pane) const
{
    const QRect all(QPoint(), pane.image().size());
    QRectF seen;
    if (const auto region = m_from.view.region()) {
        seen = QRectF(*region);
    } else {
        const PaneFrame frame = pane.frame();
        seen = QRectF(frame.toPicture(QRectF(frame.area).topLeft()),
                      frame.toPicture(QRectF(frame.area).bottomRight()));
    }
    return seen.translated(-pane.imageOffset()).toAlignedRect().intersected(all);
}

void CompareTools::copyImage() const
{
    const PicturePane* pane = m_from.panes.inHand();
    const QImage& image = (pane != nullptr ? *pane : m_from.panes.seen(ComparedCells::kA)).image();
    if (!image.isNull())
        QApplication::clipboard()->setImage(image);
}

void CompareTools::showImageMenu(const PicturePane* pane, const QPoint& position)
{
    if (pane->image().isNull())
        return;
    auto* menu = new QMenu(&m_window);
    menu->setObjectName(QStringLiteral("imageMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool region = m_from.view.region().has_value();
    const auto add = [&](const char* name, const QString& text, auto slot) {
        QAction* action = menu->addAction(text, this, slot);
        action->setObjectName(QString::fromLatin1(name));
    };
    const QString name = QStringLiteral("%1-%2").arg(
        pictureName(m_from.store.data(), m_from.store.selectedPicture()), pane->title());
    add("copyImage", tr("&Copy image"),
        [pane] { QApplication::clipboard()->setImage(pane->image()); });
    add("copyPart", region ? tr("Copy the &region") : tr("Copy what is &seen"),
        [this, pane] { QApplication::clipboard()->setImage(pane->image().copy(partOf(*pane))); });
    add("saveImage", tr("S&ave image…"),
        [this, pane, name] { Q_EMIT saveWanted(pane->image(), name); });
    add("savePart", region ? tr("Save the re&gion…") : tr("Save &what is seen…"),
        [this, pane, name] {
            Q_EMIT saveWanted(pane->image().copy(partOf(*pane)), name + QStringLiteral("-crop"));
        });
    menu->popup(position);
}

}  // namespace qs::widgets

#include "moc_compare_tools.cpp"
