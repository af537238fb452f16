#include "widgets/plan/link_edit.h"

#include "widgets/layout/flow_layout.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/line_list.h"
#include "widgets/plan/plan_text.h"

#include <QCheckBox>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace qs::widgets {

namespace {

constexpr int kGap = 6;  // pixels
constexpr const char* kAxis = "axis";

const core::Axis* axisNamed(const std::vector<core::Axis>& axes, const std::string& name)
{
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const auto& axis) { return axis.name == name; });
    return found == axes.end() ? nullptr : &*found;
}

// "model + image size: 3 steps", or how many values each has if that differs.
QString groupText(const core::LinkedAxes& group, const std::vector<core::Axis>& axes)
{
    QStringList names;
    QStringList counts;
    for (const std::string& name : group) {
        const core::Axis* axis = axisNamed(axes, name);
        names << axisText(name);
        counts << QLocale().toString(axis == nullptr ? qsizetype{0}
                                                     : qsizetype(axis->values.size()));
    }
    const bool equal = counts.count(counts.value(0)) == counts.size();
    const QString text = names.join(QStringLiteral(" + "));
    return equal ? LinkEdit::tr("%1: %2 steps").arg(text, counts.value(0))
                 : LinkEdit::tr("%1: %2 values, linked axes need equally many")
                       .arg(text, counts.join(LinkEdit::tr(" and ")));
}

}  // namespace

LinkEdit::LinkEdit(QWidget* parent)
    : QWidget(parent),
      m_links(new LineList(QStringLiteral("link"), this)),
      m_boxArea(new QWidget(this)),
      m_link(new QToolButton(this)),
      m_message(new QLabel(this))
{
    new FlowLayout(m_boxArea, kGap);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    m_boxArea->setSizePolicy(policy);
    m_link->setObjectName(QStringLiteral("linkAxes"));
    m_link->setText(tr("Link"));
    m_link->setFocusPolicy(Qt::StrongFocus);
    m_message->setObjectName(QStringLiteral("linkMessage"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_links);
    layout->addWidget(m_boxArea);
    layout->addWidget(m_link, 0, Qt::AlignLeft);
    layout->addWidget(m_message);
    connect(m_links, &LineList::removed, this, &LinkEdit::unlink);
    connect(m_link, &QToolButton::clicked, this, &LinkEdit::link);
    showLinks();
    showAxes();
}

void LinkEdit::setPreset(const core::Preset& preset)
{
    const auto sizes = [](const std::vector<core::Axis>& axes) {
        std::vector<std::pair<std::string, std::size_t>> all;
        for (const core::Axis& axis : axes)
            all.emplace_back(axis.name, axis.values.size());
        return all;
    };
    // What is ticked stays while other parts of the sweep are edited.
    const bool same = sizes(m_axes) == sizes(preset.axes) && m_linked == preset.linked;
    m_axes = preset.axes;
    m_linked = preset.linked;
    if (same)
        return;
    showLinks();
    showAxes();
}

void LinkEdit::showLinks()
{
    QList<LineList::Line> lines;
    for (const core::LinkedAxes& group : m_linked)
        lines << LineList::Line{groupText(group, m_axes),
                                tr("These axes advance together: the first value of each, then "
                                   "the second of each …"),
                                tr("Unlink these axes")};
    m_links->setLines(lines);
}

void LinkEdit::showAxes()
{
    qDeleteAll(m_boxes);
    m_boxes.clear();
    for (const core::Axis& axis : m_axes) {
        const bool linked = std::any_of(m_linked.begin(), m_linked.end(), [&](const auto& group) {
            return std::find(group.begin(), group.end(), axis.name) != group.end();
        });
        if (linked || axis.values.size() < 2)
            continue;
        auto* box = new QCheckBox(axisCount(axis), m_boxArea);
        box->setObjectName(QStringLiteral("link:") + QString::fromStdString(axis.name));
        box->setProperty(kAxis, QString::fromStdString(axis.name));
        connect(box, &QCheckBox::toggled, this, &LinkEdit::check);
        m_boxArea->layout()->addWidget(box);
        m_boxes << box;
    }
    const bool offered = m_boxes.size() >= 2;
    m_boxArea->setVisible(offered);
    m_link->setVisible(offered);
    for (QCheckBox* box : m_boxes)
        box->setVisible(offered);
    m_message->setText(
        offered || !m_linked.empty() ? QString() : tr("Needs two axes with several values each"));
    m_message->setVisible(!m_message->text().isEmpty());
    check();
}

// What is ticked decides what goes with it.
void LinkEdit::check()
{
    std::optional<core::Axis> first;
    for (const std::string& name : chosen()) {
        if (!first)
            first = *axisNamed(m_axes, name);
    }
    for (QCheckBox* box : m_boxes) {
        const core::Axis& axis = *axisNamed(m_axes, box->property(kAxis).toString().toStdString());
        const bool fits = !first || first->values.size() == axis.values.size();
        box->setEnabled(fits);
        box->setToolTip(plainTip(fits ? tr("Link %1 with other axes").arg(axisText(axis.name))
                                      : tr("%1, but %2: linked axes need equally many values")
                                            .arg(axisCount(axis), axisCount(*first))));
        box->setAccessibleDescription(box->toolTip());
    }
    m_link->setEnabled(chosen().size() >= 2);
    m_link->setToolTip(m_link->isEnabled()
                           ? tr("Advance these axes together instead of combining all values")
                           : tr("Select two or more axes with equally many values"));
}

core::LinkedAxes LinkEdit::chosen() const
{
    core::LinkedAxes names;
    for (const QCheckBox* box : m_boxes) {
        if (box->isChecked())
            names.push_back(box->property(kAxis).toString().toStdString());
    }
    return names;
}

void LinkEdit::link()
{
    m_linked.push_back(chosen());
    showLinks();
    showAxes();
    Q_EMIT linkedEdited(m_linked);
}

void LinkEdit::unlink(int place)
{
    m_linked.erase(m_linked.begin() + place);
    showLinks();
    showAxes();
    Q_EMIT linkedEdited(m_linked);
}

}  // namespace qs::widgets
