#include "widgets/plan/variant_panel.h"

#include "widgets/layout/elided_paragraph.h"
#include "widgets/layout/roomy_rows.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/parameter_form.h"
#include "widgets/plan/scheme_words.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QScreen>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kLettersOfALine = 82;
constexpr int kLettersOfAVariant = 26;
constexpr int kLinesAboutScheme = 4;
constexpr int kLinesAboutParameter = 4;
constexpr int kPanelGap = 4;  // pixels between the panel and what opened it

// As many lines, whatever stands in them: nothing moves.
QLabel* newParagraph(int lines, QWidget* parent)
{
    auto* label = new ElidedParagraph(lines, parent);
    label->setFixedHeight(lines * label->fontMetrics().lineSpacing());
    return label;
}

QToolButton* newButton(const char* name, const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(QString::fromLatin1(name));
    button->setText(text);
    button->setToolTip(plainTip(tip));
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

}  // namespace

VariantPanel::VariantPanel(SweptSchemes& swept, std::size_t offered, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_swept(swept),
      m_offered(offered),
      m_list(new QListWidget(this)),
      m_duplicate(newButton("duplicateVariant", tr("Duplicate"),
                            tr("Copy the selected variant, to change the copy"), this)),
      m_remove(newButton("removeVariant", tr("Remove"),
                         tr("Remove the selected variant from the sweep (Delete)"), this)),
      m_form(new ParameterForm(swept.entries()[swept.placeOf(offered)].scheme, this)),
      m_help(newParagraph(kLinesAboutParameter, this)),
      m_text(new QLabel(this))
{
    setObjectName(QStringLiteral("variantPanel"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    build();
    connect(m_list, &QListWidget::currentRowChanged, this, &VariantPanel::showCurrent);
    connect(m_duplicate, &QToolButton::clicked, this, &VariantPanel::duplicate);
    connect(m_remove, &QToolButton::clicked, this, &VariantPanel::removeCurrent);
    connect(m_form, &ParameterForm::edited, this, &VariantPanel::changeCurrent);
    connect(m_form, &ParameterForm::pointedAt, this,
            [this](const QString& parameter, const QString& help) {
                m_help->setText(parameter + QStringLiteral(": ") + help);
            });
    connect(m_form, &ParameterForm::refused, this, [this](const QString& problem) {
        if (!problem.isEmpty())
            m_help->setText(problem);
    });
}

void VariantPanel::build()
{
    const core::Scheme& scheme = m_swept.entries()[m_swept.placeOf(m_offered)].scheme;
    auto* title = new QLabel(QString::fromStdString(scheme.text()), this);
    title->setTextFormat(Qt::PlainText);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    QLabel* about = newParagraph(kLinesAboutScheme, this);
    about->setText(QString::fromStdString(scheme->description));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(12);
    columns->addWidget(buildVariants());
    columns->addWidget(m_form, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(6);
    layout->addWidget(title);
    layout->addWidget(about);
    layout->addLayout(columns, 1);
    layout->addWidget(m_help);
    layout->addWidget(buildFoot());
    m_help->setForegroundRole(QPalette::PlaceholderText);
    setTabOrder(m_remove, m_form);
}

QWidget* VariantPanel::buildVariants()
{
    m_list->setObjectName(QStringLiteral("variantList"));
    m_list->setAccessibleName(tr("Variants"));
    m_list->setItemDelegate(new RoomyRows(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->installEventFilter(this);
    auto* part = new QWidget(this);
    part->setFixedWidth(fontMetrics().averageCharWidth() * kLettersOfAVariant);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_duplicate);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    return part;
}

QWidget* VariantPanel::buildFoot()
{
    auto* part = new QWidget(this);
    m_text->setObjectName(QStringLiteral("variantText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setToolTip(tr("How files, tables and the command line write it"));
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* done = newButton("closeVariants", tr("Close"), tr("Back to the sweep (Escape)"), part);
    connect(done, &QToolButton::clicked, this, &QWidget::close);
    auto* layout = new QHBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text, 1);
    layout->addWidget(done);
    return part;
}

void VariantPanel::openAt(const QRect& place, std::size_t entry)
{
    fillList();
    selectEntry(entry);
    ensurePolished();
    const QSize size(fontMetrics().averageCharWidth() * kLettersOfALine, sizeHint().height());
    setFixedSize(size);
    const QRect screen = parentWidget()->screen()->availableGeometry().adjusted(
        kPanelGap, kPanelGap, -kPanelGap, -kPanelGap);
    QPoint at(place.right() + kPanelGap, place.top() - kPanelGap);
    if (at.x() + size.width() > screen.right())
        at = QPoint(screen.right() - size.width(), place.bottom() + kPanelGap);
    at.setY(std::min(at.y(), screen.bottom() - size.height()));
    move(std::max(screen.left(), at.x()), std::max(screen.top(), at.y()));
    show();
    m_list->setFocus();
}

std::size_t VariantPanel::current() const
{
    return m_swept.placeOf(m_offered) + std::size_t(std::max(0, m_list->currentRow()));
}

QString VariantPanel::titleOf(std::size_t entry) const
{
    const SweptSchemes::Entry& each = m_swept.entries()[entry];
    if (!each.variant)
        return tr("defaults");
    const QString changes =
        changesText(each.scheme, m_swept.entries()[m_swept.placeOf(m_offered)].scheme);
    return changes.isEmpty() ? tr("new, as the defaults") : changes;
}

void VariantPanel::fillList()
{
    const QSignalBlocker blocker(m_list);
    const int row = m_list->currentRow();
    m_list->clear();
    const auto& entries = m_swept.entries();
    for (std::size_t entry = m_swept.placeOf(m_offered);
         entry < entries.size() && entries[entry].offered == m_offered; ++entry) {
        auto* item = new QListWidgetItem(titleOf(entry), m_list);
        const bool repeated = m_swept.isRepeated(entry);
        QFont font = m_list->font();
        font.setItalic(repeated);
        item->setFont(font);
        item->setToolTip(
            plainTip(repeated ? tr("%1: the same as one above; counts once").arg(item->text())
                              : QString::fromStdString(entries[entry].scheme.text())));
    }
    m_list->setCurrentRow(std::clamp(row, 0, m_list->count() - 1));
}

void VariantPanel::selectEntry(std::size_t entry)
{
    const QSignalBlocker blocker(m_list);
    m_list->setCurrentRow(int(entry - m_swept.placeOf(m_offered)));
    showCurrent();
}

QString VariantPanel::stepText() const
{
    const SweptSchemes::Entry& offered = m_swept.entries()[m_swept.placeOf(m_offered)];
    return tr("variant %1 of %2")
        .arg(m_list->currentRow())
        .arg(QString::fromStdString(offered.scheme.text()));
}

void VariantPanel::showCurrent()
{
    const SweptSchemes::Entry& entry = m_swept.entries()[current()];
    m_form->setScheme(entry.scheme);
    m_remove->setEnabled(entry.variant);
    m_text->setText(QString::fromStdString(entry.scheme.text()));
    if (!entry.variant)
        m_help->setText(tr("A change makes a variant beside the defaults."));
    else if (m_swept.isRepeated(current()))
        m_help->setText(tr("The same as one above: change a parameter."));
    else
        m_help->clear();
}

void VariantPanel::changeCurrent()
{
    std::size_t entry = current();
    if (!m_swept.entries()[entry].variant)
        entry = m_swept.addVariant(entry);
    m_swept.setScheme(entry, m_form->scheme());
    const QString help = m_help->text();
    fillList();
    selectEntry(entry);
    if (!m_swept.isRepeated(entry))
        m_help->setText(help);
    Q_EMIT edited(stepText(), true);
}

void VariantPanel::duplicate()
{
    const std::size_t copy = m_swept.addVariant(current());
    fillList();
    selectEntry(copy);
    m_form->setFocus();
    Q_EMIT edited(stepText(), true);
}

void VariantPanel::removeCurrent()
{
    if (!m_swept.entries()[current()].variant)
        return;
    const QString what = stepText();
    if (!m_swept.remove(current())) {
        m_help->setText(tr("A sweep needs a precision: this is the last one."));
        return;
    }
    fillList();
    showCurrent();
    m_list->setFocus();
    Q_EMIT edited(what, false);
}

bool VariantPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
            removeCurrent();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void VariantPanel::closeEvent(QCloseEvent* event)
{
    QFrame::closeEvent(event);
    Q_EMIT closed();
}

}  // namespace qs::widgets

#include "moc_variant_panel.cpp"
