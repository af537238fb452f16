#include "widgets/plan/chip_row.h"

#include "widgets/layout/flow_layout.h"
#include "widgets/models/plain_tip.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QToolButton>

namespace qs::widgets {

namespace {

constexpr int kChipGap = 3;      // pixels
constexpr qsizetype kMost = 24;  // chips; the text above holds all values

}  // namespace

ChipRow::ChipRow(QWidget* parent) : QWidget(parent)
{
    new FlowLayout(this, kChipGap);
    // The height follows the width, as of a paragraph.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
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

void ChipRow::rebuild()
{
    while (QLayoutItem* item = layout()->takeAt(0)) {
        // The chip that was pressed is still on the stack.
        item->widget()->setObjectName({});
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString& value : m_values.mid(0, kMost))
        addChip(value);
    if (m_values.size() > kMost) {
        auto* more =
            new QLabel(tr("and %1 more").arg(QLocale().toString(m_values.size() - kMost)), this);
        more->setTextFormat(Qt::PlainText);
        layout()->addWidget(more);
    }
    updateGeometry();
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
    connect(chip, &QToolButton::clicked, this, [this, value] {
        if (m_values.size() > 1)
            Q_EMIT removed(value);
    });
    layout()->addWidget(chip);
    chip->show();
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
