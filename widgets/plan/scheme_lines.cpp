#include "widgets/plan/scheme_lines.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/scheme_box.h"
#include "widgets/plan/scheme_words.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kLongestLine = 34;  // letters that a narrow plan has room for

QToolButton* newRemoveButton(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(QStringLiteral("×"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

}  // namespace

SchemeLines::SchemeLines(SweptSchemes& swept, QWidget* parent)
    : QWidget(parent), m_swept(swept), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    hide();
}

void SchemeLines::setVariantsShown(bool shown)
{
    m_variantsShown = shown;
    refresh();
}

QList<SchemeLines::Line> SchemeLines::wanted() const
{
    QList<Line> lines;
    const auto& entries = m_swept.entries();
    for (std::size_t i = 0; m_variantsShown && i < entries.size(); ++i) {
        if (entries[i].variant && !m_swept.isRepeated(i))
            lines.push_back({i, QString::fromStdString(entries[i].scheme.text())});
    }
    for (const QString& other : m_swept.others())
        lines.push_back({std::nullopt, other});
    return lines;
}

void SchemeLines::refresh()
{
    QList<Line> lines = wanted();
    const bool same = std::equal(
        lines.begin(), lines.end(), m_lines.begin(), m_lines.end(),
        [](const Line& a, const Line& b) { return a.entry.has_value() == b.entry.has_value(); });
    if (!same) {
        clear();
        m_lines = lines;
        for (Line& line : m_lines)
            build(line);
    }
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        m_lines[i].entry = lines[i].entry;
        m_lines[i].value = lines[i].value;
        show(m_lines[i]);
    }
    setVisible(!m_lines.isEmpty());
}

void SchemeLines::clear()
{
    for (const Line& line : std::as_const(m_lines)) {
        // The button that was pressed is still on the stack.
        line.part->hide();
        for (QObject* each : line.part->children())
            each->setObjectName({});
        m_layout->removeWidget(line.part);
        line.part->deleteLater();
    }
    m_lines.clear();
}

void SchemeLines::build(Line& line)
{
    const qsizetype place = &line - m_lines.constData();
    line.part = new QWidget(this);
    line.box = newSchemeBox(line.value, line.part);
    auto* layout = new QHBoxLayout(line.part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(line.box);
    layout->addStretch(1);
    if (line.entry) {
        line.options = newOptionsButton(line.value, line.part);
        layout->addWidget(line.options);
        connect(line.options, &QToolButton::clicked, this, [this, place] {
            Q_EMIT optionsRequested(*m_lines[place].entry, placeOnScreen(*m_lines[place].options));
        });
    }
    line.remove = newRemoveButton(line.part);
    layout->addWidget(line.remove);
    connect(line.box, &QCheckBox::clicked, this, [this, place] { toggle(place); });
    connect(line.remove, &QToolButton::clicked, this, [this, place] { remove(place); });
    m_layout->addWidget(line.part);
    line.part->show();
}

void SchemeLines::show(const Line& line) const
{
    const auto& entries = m_swept.entries();
    QString label = line.value;
    if (line.entry) {
        const SweptSchemes::Entry& entry = entries[*line.entry];
        label = schemeLabel(entry.scheme, entries[m_swept.placeOf(entry.offered)].scheme);
        line.options->setObjectName(QStringLiteral("options:") + line.value);
    }
    line.box->setObjectName(QStringLiteral("choice:") + line.value);
    line.box->setAccessibleName(label);
    // A text of any length: the box does not widen the plan.
    line.box->setText(fontMetrics().elidedText(label, Qt::ElideMiddle,
                                               fontMetrics().averageCharWidth() * kLongestLine));
    line.box->setChecked(!line.entry || m_swept.has({*line.entry, *line.entry}));
    line.remove->setObjectName(QStringLiteral("remove:") + line.value);
    line.remove->setToolTip(plainTip(tr("Remove %1").arg(line.value)));
    line.remove->setAccessibleName(tr("Remove %1").arg(line.value));
    const auto scheme = core::parseScheme(line.value.toStdString());
    if (scheme.ok()) {
        showScheme(*line.box, scheme.value(), m_reasons);
        return;
    }
    const auto reason = m_reasons.find(line.value.toStdString());
    const QString why =
        reason == m_reasons.end() ? QString() : QString::fromStdString(reason->second);
    showImpossible(*line.box, !why.isEmpty());
    const QString tip = why.isEmpty() ? line.value : tr("%1\nCannot run: %2").arg(line.value, why);
    line.box->setToolTip(wrappedTip(tip));
    line.box->setAccessibleDescription(tip);
}

void SchemeLines::setReasons(const Reasons& reasons)
{
    m_reasons = reasons;
    refresh();
}

void SchemeLines::toggle(qsizetype place)
{
    const Line line = m_lines[place];
    const bool changed =
        line.entry ? m_swept.toggle({*line.entry, *line.entry}) : m_swept.removeOther(line.value);
    refresh();
    if (changed)
        Q_EMIT edited();
}

void SchemeLines::remove(qsizetype place)
{
    const Line line = m_lines[place];
    const bool changed = line.entry ? m_swept.remove(*line.entry) : m_swept.removeOther(line.value);
    if (!changed)
        return;
    refresh();
    Q_EMIT edited();
}

void SchemeLines::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

}  // namespace qs::widgets

#include "moc_scheme_lines.cpp"
