#include "widgets/plan/gate_edit.h"

#include "widgets/models/metric_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/line_list.h"
#include "widgets/plan/message_line.h"

#include <QCompleter>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

namespace {

constexpr std::size_t kShown = 2;  // in the summary

QString gateText(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

// The names of what can be expected, as what one types next.
QCompleter* metricCompleter(QWidget* parent)
{
    auto* names = new QStandardItemModel(parent);
    for (const core::Metric& metric : core::metricRegistry().metrics()) {
        auto* item = new QStandardItem(gateText(metric.name));
        item->setToolTip(plainTip(metricAbout(metric)));
        names->appendRow(item);
    }
    auto* completer = new QCompleter(names, parent);
    completer->setFilterMode(Qt::MatchContains);
    return completer;
}

// Every name with what it means, for the tool tip.
QString aboutMetrics()
{
    QStringList lines;
    for (const core::Metric& metric : core::metricRegistry().metrics())
        lines << GateEdit::tr("%1: %2", "name of a figure: what it is")
                     .arg(gateText(metric.name), metricAbout(metric));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

GateEdit::GateEdit(QWidget* parent)
    : QWidget(parent),
      m_list(new LineList(QStringLiteral("gate"), this)),
      m_text(new QLineEdit(this)),
      m_add(new QToolButton(this)),
      m_message(newMessageLine(QStringLiteral("gateMessage"), this))
{
    buildLine();
    setFocusProxy(m_text);
    auto* row = new QHBoxLayout;
    row->addWidget(m_text, 1);
    row->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_list);
    layout->addLayout(row);
    layout->addWidget(m_message);
    connect(m_list, &LineList::removed, this, &GateEdit::remove);
    connect(m_text, &QLineEdit::textChanged, this, &GateEdit::check);
    connect(m_text, &QLineEdit::returnPressed, this, &GateEdit::add);
    connect(m_add, &QToolButton::clicked, this, &GateEdit::add);
    check();
}

void GateEdit::buildLine()
{
    m_text->setObjectName(QStringLiteral("gateText"));
    m_text->setAccessibleName(tr("Pass/fail criterion"));
    m_text->setPlaceholderText(tr("ssim_mean >= 0.99"));
    m_text->setToolTip(
        plainTip(tr("A pass/fail criterion for every cell of the sweep; the table shows the "
                    "results. \"cv <= 5 %\", \"latency < 12 ms\", or for some cells: \"speedup >= "
                    "1.2 for precision=int8dq; batch=16; device=H200\". Press Enter to add it") +
                 QStringLiteral("\n\n") + aboutMetrics()));
    m_text->setCompleter(metricCompleter(this));
    m_add->setObjectName(QStringLiteral("addGate"));
    m_add->setText(tr("Add gate"));
    m_add->setFocusPolicy(Qt::StrongFocus);
}

void GateEdit::setGates(const std::vector<core::Gate>& gates)
{
    m_gates = gates;
    QList<LineList::Line> lines;
    for (const core::Gate& gate : m_gates) {
        const QString text = QString::fromStdString(core::gateText(gate));
        lines << LineList::Line{text, metricAbout(*core::metricRegistry().find(gate.metric)),
                                tr("Remove %1").arg(text)};
    }
    m_list->setLines(lines);
    check();
}

void GateEdit::check()
{
    const auto gate = core::gateFromText(m_text->text().toStdString());
    const bool empty = m_text->text().trimmed().isEmpty();
    QString message = gate.ok() || empty ? QString() : QString::fromStdString(gate.error().message);
    const bool full = m_gates.size() >= core::kMostGates;
    if (full)
        message = tr("A sweep has at most %1 gates").arg(QLocale().toString(int{core::kMostGates}));
    showMessage(*m_message, message);
    m_text->setAccessibleDescription(message);
    m_add->setEnabled(gate.ok() && !full);
    m_add->setToolTip(plainTip(m_add->isEnabled() ? tr("Add this gate")
                               : empty            ? tr("Enter a criterion")
                                                  : message));
}

void GateEdit::add()
{
    auto gate = core::gateFromText(m_text->text().toStdString());
    if (!gate.ok() || m_gates.size() >= core::kMostGates)
        return;
    std::vector<core::Gate> changed = m_gates;
    changed.push_back(std::move(gate).value());
    m_text->clear();
    setGates(changed);
    m_text->setFocus();
    Q_EMIT gatesEdited(changed);
}

void GateEdit::remove(int place)
{
    std::vector<core::Gate> changed = m_gates;
    changed.erase(changed.begin() + place);
    setGates(changed);
    m_text->setFocus();
    Q_EMIT gatesEdited(changed);
}

QString GateEdit::summary(const std::vector<core::Gate>& gates)
{
    if (gates.empty())
        return tr("none");
    if (gates.size() > kShown)
        return tr("%1 gates").arg(QLocale().toString(qulonglong(gates.size())));
    QStringList texts;
    for (const core::Gate& gate : gates)
        texts << QString::fromStdString(core::gateText(gate));
    return texts.join(QStringLiteral(", "));
}

}  // namespace qs::widgets

#include "moc_gate_edit.cpp"
