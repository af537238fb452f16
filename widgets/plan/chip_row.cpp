#include "widgets/plan/chip_row.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/chip_list.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QToolButton>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kChipGap = 3;      // pixels
constexpr qsizetype kMost = 24;  // chips, more than any plan is wide for
constexpr qsizetype kLargest = 999;

}  // namespace

ChipRow::ChipRow(QWidget* parent) : QWidget(parent), m_more(new QToolButton(this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_more->setObjectName(QStringLiteral("moreChips"));
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->setToolTip(plainTip(tr("Show all values")));
    m_more->setText(moreText(kLargest));
    m_more->hide();
    connect(m_more, &QToolButton::clicked, this, &ChipRow::openList);
}

void ChipRow::setValues(const QStringList& values)
{
    if (values == m_values)
        return;
    m_values = values;
    rebuild();
}

void ChipRow::setReasons(const std::map<std::string, std::string>& reasons)
{
    if (reasons == m_reasons)
        return;
    m_reasons = reasons;
    rebuild();
}

// The same whatever the values are.
QSize ChipRow::minimumSizeHint() const
{
    const int height = m_more->sizeHint().height();
    return {m_more->fontMetrics().horizontalAdvance(moreText(kLargest)) + height, height};
}

QSize ChipRow::sizeHint() const
{
    return minimumSizeHint();
}

QString ChipRow::moreText(qsizetype count) const
{
    return tr("and %1 more").arg(QLocale().toString(count));
}

void ChipRow::rebuild()
{
    for (QToolButton* chip : std::as_const(m_chips)) {
        // The chip that was pressed is still on the stack.
        chip->setObjectName({});
        chip->hide();
        chip->deleteLater();
    }
    m_chips.clear();
    for (const QString& value : m_values.mid(0, kMost))
        addChip(value);
    arrange();
    if (m_list != nullptr)
        m_list->setValues(m_values, m_reasons);
}

void ChipRow::addChip(const QString& value)
{
    auto* chip = new QToolButton(this);
    chip->setObjectName(QStringLiteral("chip:") + value);
    chip->setText(value + QStringLiteral(" ×"));
    chip->setFocusPolicy(Qt::StrongFocus);
    const auto reason = m_reasons.find(value.toStdString());
    const bool last = m_values.size() == 1;
    QString about = last ? tr("The only value") : tr("Remove %1").arg(value);
    if (reason != m_reasons.end()) {
        about = tr("Cannot run: %1").arg(QString::fromStdString(reason->second));
        QPalette colours = palette();
        colours.setColor(QPalette::ButtonText, colours.color(QPalette::PlaceholderText));
        chip->setPalette(colours);
        QFont font = chip->font();
        font.setItalic(true);
        chip->setFont(font);
    }
    chip->setToolTip(plainTip(about));
    chip->setAccessibleName(value);
    chip->setAccessibleDescription(about);
    chip->setEnabled(!last || reason != m_reasons.end());
    chip->installEventFilter(this);
    connect(chip, &QToolButton::clicked, this, [this, value] { remove(value); });
    if (!m_chips.isEmpty())
        setTabOrder(m_chips.last(), chip);
    setTabOrder(chip, m_more);
    m_chips << chip;
}

void ChipRow::place(QToolButton& chip, int left) const
{
    const QSize size = chip.sizeHint();
    chip.setGeometry(left, (height() - size.height()) / 2, size.width(), size.height());
}

void ChipRow::arrange()
{
    // The places where chips end, one beside the other.
    QList<int> ends;
    int left = 0;
    for (const QToolButton* chip : std::as_const(m_chips)) {
        ends << left + chip->sizeHint().width();
        left = ends.last() + kChipGap;
    }
    qsizetype shown = m_chips.size();
    const bool all = shown == m_values.size() && (ends.isEmpty() || ends.last() <= width());
    if (!all) {
        do {
            m_more->setText(moreText(m_values.size() - --shown));
            left = shown == 0 ? 0 : ends.at(shown - 1) + kChipGap;
        } while (shown > 0 && left + m_more->sizeHint().width() > width());
        place(*m_more, left);
    }
    m_more->setVisible(!all);
    for (qsizetype i = 0; i < m_chips.size(); ++i) {
        if (i < shown)
            place(*m_chips.at(i), i == 0 ? 0 : ends.at(i - 1) + kChipGap);
        m_chips.at(i)->setVisible(i < shown);
    }
}

void ChipRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ChipRow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        updateGeometry();
        arrange();
    }
    if (event->type() == QEvent::PaletteChange)
        rebuild();
}

void ChipRow::remove(const QString& value)
{
    if (m_values.size() > 1)
        Q_EMIT removed(value);
}

void ChipRow::openList()
{
    m_list = new ChipList(this);
    m_list->setValues(m_values, m_reasons);
    connect(m_list, &ChipList::removed, this, &ChipRow::remove);
    m_list->openAt(*m_more);
}

bool ChipRow::eventFilter(QObject* chip, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
            static_cast<QToolButton*>(chip)->click();
            return true;
        }
    }
    return QWidget::eventFilter(chip, event);
}

}  // namespace qs::widgets

#include "moc_chip_row.cpp"
