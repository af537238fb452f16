#include "widgets/compare/image_menu.h"

#include "widgets/compare/compare_view.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QKeySequence>
#include <QMenu>

namespace qs::widgets {

namespace {

struct ImageMenuText {
    Q_DECLARE_TR_FUNCTIONS(ImageMenu)
};

struct Entry {
    const char* name = nullptr;  // none: a separator
    const char* text = "";
    QKeyCombination key = Qt::Key_unknown;
};

constexpr Entry kEntries[] = {
    {"imageWipe", QT_TRANSLATE_NOOP("ImageMenu", "&Wipe between two images"), Qt::Key_W},
    {"imageBlink", QT_TRANSLATE_NOOP("ImageMenu", "&Blink with the reference"), Qt::Key_B},
    {"imageMap", QT_TRANSLATE_NOOP("ImageMenu", "&Map of differences"), Qt::Key_M},
    {"imageOther", QT_TRANSLATE_NOOP("ImageMenu", "Show the &reference in place of A"),
     Qt::Key_Left},
    {"imageOwn", QT_TRANSLATE_NOOP("ImageMenu", "Show &A again"), Qt::Key_Right},
    {},
    {"imageFit", QT_TRANSLATE_NOOP("ImageMenu", "&Fit"), Qt::Key_0},
    {"imagePixels", QT_TRANSLATE_NOOP("ImageMenu", "&1:1, pixel by pixel"), Qt::Key_Z},
    {"imageLarger", QT_TRANSLATE_NOOP("ImageMenu", "Zoom &in"), Qt::Key_Plus},
    {"imageSmaller", QT_TRANSLATE_NOOP("ImageMenu", "Zoom &out"), Qt::Key_Minus},
    {"imageAlone", QT_TRANSLATE_NOOP("ImageMenu", "One &pane alone"), Qt::Key_Return},
    {},
    {"imagePrevious", QT_TRANSLATE_NOOP("ImageMenu", "Pre&vious image"), Qt::Key_PageUp},
    {"imageNext", QT_TRANSLATE_NOOP("ImageMenu", "Ne&xt image"), Qt::Key_PageDown},
    {"imageWorstTile", QT_TRANSLATE_NOOP("ImageMenu", "Next worst &tile"), Qt::Key_N},
    {"imageRegion", QT_TRANSLATE_NOOP("ImageMenu", "Figures of a regio&n"), Qt::Key_S},
    {"imageSheet", QT_TRANSLATE_NOOP("ImageMenu", "&Contact sheet of all cells"), Qt::Key_G},
    {},
    {"imageBrighter", QT_TRANSLATE_NOOP("ImageMenu", "Bri&ghter (exposure)"), Qt::Key_E},
    {"imageDarker", QT_TRANSLATE_NOOP("ImageMenu", "&Darker (exposure)"), Qt::Key_D},
    {"imageChannel", QT_TRANSLATE_NOOP("ImageMenu", "Next colour c&hannel"), Qt::Key_C},
    {"imageHistogram", QT_TRANSLATE_NOOP("ImageMenu", "Hi&stogram"), Qt::Key_H},
    {"imageCopy", QT_TRANSLATE_NOOP("ImageMenu", "Cop&y the image"), Qt::CTRL | Qt::Key_C},
};

}  // namespace

void fillImageMenu(QMenu& menu, CompareView& view)
{
    for (const Entry& entry : kEntries) {
        if (entry.name == nullptr) {
            menu.addSeparator();
            continue;
        }
        // Single letters act where the comparison has the focus; as shortcuts of the window they
        // could not be typed anywhere else.
        QAction* action =
            menu.addAction(ImageMenuText::tr(entry.text) + QLatin1Char('\t') +
                           QKeySequence(entry.key).toString(QKeySequence::NativeText));
        action->setObjectName(QString::fromLatin1(entry.name));
        QObject::connect(action, &QAction::triggered, &view, [&view, key = entry.key] {
            QKeyEvent press(QEvent::KeyPress, key.key(), key.keyboardModifiers());
            QCoreApplication::sendEvent(&view, &press);
        });
    }
    QAction* worst = menu.addAction(ImageMenuText::tr("Worst images of the ce&ll"));
    worst->setObjectName(QStringLiteral("imageWorst"));
    QObject::connect(worst, &QAction::triggered, &view,
                     [&view] { view.tools().showSheet(ImageSheet::Kind::WorstImages); });
}

}  // namespace qs::widgets
