#include "widgets/layout/elided_paragraph.h"
#include "widgets/model/model_status.h"
#include "widgets/plan/device_chooser.h"
#include "widgets/plan/model_edit.h"
#include "widgets/plan/picture_edit.h"
#include "widgets/plan/plan_footer.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/precision_matrix.h"
#include "widgets/plan/sweep_editor.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

// How the panel is put together.
namespace qs::widgets {

void PlanPanel::build()
{
    m_footer = new PlanFooter(this);
    m_run = new QPushButton(this);
    m_run->setObjectName(QStringLiteral("runButton"));
    m_append = new QPushButton(tr("Append"), this);
    m_append->setObjectName(QStringLiteral("appendButton"));
    m_append->setAccessibleName(tr("Append to the run in view"));
    m_append->hide();

    // The editors scroll; the footer and the button that all of it is for stay in view.
    auto* content = new QWidget(this);
    auto* contentLayout = new QVBoxLayout(content);
    contentLayout->addWidget(buildChooser());
    contentLayout->addWidget(buildEditors());
    contentLayout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("planScroll"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);  // it follows the focus of what it holds
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // The bar takes its width from the content, which must not be cut; nor must the matrix of
    // pairs when it is shown.
    const QMargins around = contentLayout->contentsMargins();
    const int pairs =
        findChild<PrecisionMatrix*>()->sizeHint().width() + around.left() + around.right();
    scroll->setMinimumWidth(std::max(content->minimumSizeHint().width(), pairs) +
                            style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, scroll));

    auto* bottom = new QVBoxLayout;
    const int margin = contentLayout->contentsMargins().left();
    bottom->setContentsMargins(margin, 0, margin, margin);
    bottom->addWidget(m_footer);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_run, 1);
    buttons->addWidget(m_append);
    bottom->addLayout(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll, 1);
    layout->addLayout(bottom);
    leaveToTheDraft();
    // A label gives its key only to what takes the keyboard itself; editors of several parts hand
    // it on to one of them.
    for (const QLabel* label : findChildren<QLabel*>()) {
        QWidget* editor = label->buddy();
        if (editor != nullptr && editor->focusProxy() != nullptr)
            editor->setFocusPolicy(Qt::TabFocus);
    }
}

QWidget* PlanPanel::buildChooser()
{
    auto* part = new QWidget(this);
    m_chooser = new QComboBox(part);
    m_chooser->setObjectName(QStringLiteral("presetChooser"));
    m_chooser->setAccessibleName(tr("Preset"));
    m_chooser->setToolTip(tr("The sweep that the draft begins with"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_chooser->setMinimumContentsLength(8);
    m_chooser->setPlaceholderText(tr("Choose a preset"));
    auto* browse = new QToolButton(part);
    browse->setObjectName(QStringLiteral("browsePresets"));
    browse->setText(tr("Presets…"));
    browse->setFocusPolicy(Qt::StrongFocus);
    browse->setToolTip(tr("Find, save and delete presets"));
    constexpr int kLines = 2;  // the browser has the whole text
    m_description = new ElidedParagraph(kLines, part);
    m_description->setObjectName(QStringLiteral("presetDescription"));
    m_description->setForegroundRole(QPalette::PlaceholderText);
    connect(browse, &QToolButton::clicked, this, &PlanPanel::browseRequested);
    connect(m_chooser, &QComboBox::activated, this,
            [this](int index) { Q_EMIT presetChosen(m_chooser->itemData(index).toString()); });

    auto* row = new QHBoxLayout;
    row->addWidget(browse);
    row->addStretch(1);
    row->addWidget(buildHistoryButtons());
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chooser);
    layout->addWidget(m_description);
    layout->addLayout(row);
    return part;
}

QWidget* PlanPanel::buildHistoryButtons()
{
    auto* part = new QWidget(this);
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_history.undoAction()->setIcon(style()->standardIcon(QStyle::SP_ArrowBack));
    m_history.redoAction()->setIcon(style()->standardIcon(QStyle::SP_ArrowForward));
    for (QAction* action : {m_history.undoAction(), m_history.redoAction()}) {
        auto* button = new QToolButton(part);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(button);
        addAction(action);
    }
    return part;
}

QWidget* PlanPanel::buildModel()
{
    auto* part = new QWidget(this);
    m_model = new ModelEdit(part);
    m_modelStatus = new ModelStatus(part);
    part->setFocusProxy(m_model);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_model);
    layout->addWidget(m_modelStatus);
    return part;
}

QWidget* PlanPanel::buildEditors()
{
    auto* part = new QWidget(this);
    m_device = new DeviceChooser(part);
    m_sweep = new SweepEditor(part);
    m_sweep->setObjectName(QStringLiteral("sweepEditor"));
    m_pictures = new PictureEdit(part);
    auto* form = new QFormLayout(part);
    form->setContentsMargins(0, 0, 0, 0);
    // Long words wrap under their label in a narrow panel instead of being cut.
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(3);
    form->addRow(tr("&Model"), buildModel());
    form->addRow(tr("&Device"), m_device);
    form->addRow(m_sweep);
    form->addRow(tr("&Pictures"), m_pictures);
    return part;
}

// Lists of numbers and counters take Ctrl+Z for their own letters otherwise, although every letter
// is a step of the draft already. Files that are dropped are for the whole window, not text.
void PlanPanel::leaveToTheDraft()
{
    for (QLineEdit* edit : findChildren<QLineEdit*>())
        edit->setAcceptDrops(false);
    for (QLineEdit* edit : findChildren<QLineEdit*>(QStringLiteral("rangeText")))
        edit->installEventFilter(this);
    QWidgetList counters;
    for (QAbstractSpinBox* box : findChildren<QAbstractSpinBox*>())
        counters << box;
    for (QComboBox* box : findChildren<QComboBox*>())
        counters << box;
    for (QWidget* counter : counters) {
        counter->setFocusPolicy(Qt::StrongFocus);  // the wheel takes no focus
        counter->installEventFilter(this);
    }
}

bool PlanPanel::eventFilter(QObject* editor, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<const QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    // The wheel scrolls the panel, it does not change what it passes.
    if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(editor)->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(editor, event);
}

}  // namespace qs::widgets
