#include "widgets/plan/link_edit.h"

#include "core/model/family_registry.h"
#include "core/sweep/axis_spec.h"
#include "widgets/layout/flow_layout.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/line_list.h"
#include "widgets/plan/message_line.h"
#include "widgets/plan/plan_text.h"

#include <QCheckBox>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

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

// "model + image size"
QString namesText(const core::LinkedAxes& group)
{
    QStringList names;
    for (const std::string& name : group)
        names << axisText(name);
    return names.join(QStringLiteral(" + "));
}

// That its axes have different numbers of values; empty if they do not.
QString objectionTo(const core::LinkedAxes& group, const std::vector<core::Axis>& axes)
{
    QStringList counts;
    for (const std::string& name : group) {
        const core::Axis* axis = axisNamed(axes, name);
        counts << QLocale().toString(axis == nullptr ? qsizetype{1}
                                                     : qsizetype(axis->values.size()));
    }
    if (counts.count(counts.value(0)) == counts.size())
        return {};
    return LinkEdit::tr("%1: %2 values, linked axes need equally many")
        .arg(namesText(group), counts.join(LinkEdit::tr(" and ")));
}

bool isLinked(const std::vector<core::LinkedAxes>& linked, const std::string& axis)
{
    return std::any_of(linked.begin(), linked.end(), [&](const core::LinkedAxes& group) {
        return std::find(group.begin(), group.end(), axis) != group.end();
    });
}

}  // namespace

LinkEdit::LinkEdit(QWidget* parent)
    : QWidget(parent),
      m_sizes{std::string(core::kImageSize)},
      m_links(new LineList(QStringLiteral("link"), this)),
      m_boxArea(new QWidget(this)),
      m_link(new QToolButton(this)),
      m_message(newMessageLine(QStringLiteral("linkMessage"), this))
{
    new FlowLayout(m_boxArea, kGap);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    m_boxArea->setSizePolicy(policy);
    m_link->setObjectName(QStringLiteral("linkAxes"));
    m_link->setText(tr("Link"));
    m_link->setFocusPolicy(Qt::StrongFocus);
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
    showAxes();
}

void LinkEdit::setPreset(const core::Preset& preset)
{
    m_axes = preset.axes;
    if (m_linked != preset.linked) {
        m_linked = preset.linked;
        showLinks();
    }
    showAxes();
}

void LinkEdit::setSizes(const std::vector<std::string>& names)
{
    m_sizes = names;
    showAxes();
}

void LinkEdit::showLinks()
{
    QList<LineList::Line> lines;
    for (const core::LinkedAxes& group : m_linked)
        lines << LineList::Line{namesText(group),
                                tr("These axes advance together: the first value of each, then "
                                   "the second of each …"),
                                tr("Unlink these axes")};
    m_links->setLines(lines);
}

// Those with a field in the plan, whatever it holds: a box that came and went with the values would
// move the fields below it while one types.
std::vector<std::string> LinkEdit::offered() const
{
    std::vector<std::string> names;
    for (const core::AxisSpec& axis : core::axisSpecs()) {
        const bool unknownSize =
            core::findKnownSize(axis.name) != nullptr &&
            std::find(m_sizes.begin(), m_sizes.end(), axis.name) == m_sizes.end();
        const bool hasField = !unknownSize && axis.name != "env";
        if (hasField || axisNamed(m_axes, axis.name) != nullptr)
            names.push_back(axis.name);
    }
    return names;
}

void LinkEdit::showAxes()
{
    if (const std::vector<std::string> names = offered(); names != m_offered) {
        m_offered = names;
        makeBoxes();
    }
    check();
}

void LinkEdit::makeBoxes()
{
    qDeleteAll(m_boxes);
    m_boxes.clear();
    for (const std::string& name : m_offered) {
        auto* box = new QCheckBox(axisText(name), m_boxArea);
        box->setObjectName(QStringLiteral("link:") + QString::fromStdString(name));
        box->setProperty(kAxis, QString::fromStdString(name));
        connect(box, &QCheckBox::toggled, this, &LinkEdit::check);
        m_boxArea->layout()->addWidget(box);
        box->show();
        m_boxes << box;
    }
}

// Why the axis cannot be linked at all; empty if it can.
QString LinkEdit::hindrance(const std::string& name) const
{
    const core::Axis* axis = axisNamed(m_axes, name);
    if (isLinked(m_linked, name))
        return tr("%1 is linked").arg(axisTitle(QString::fromStdString(name)));
    return axis != nullptr && axis->values.size() > 1
               ? QString()
               : tr("%1 has one value").arg(axisTitle(QString::fromStdString(name)));
}

// What is ticked decides what goes with it.
void LinkEdit::check()
{
    for (QCheckBox* box : m_boxes) {
        const QSignalBlocker quiet(box);
        if (!hindrance(axisOf(*box)).isEmpty())
            box->setChecked(false);
    }
    const core::LinkedAxes names = chosen();
    const core::Axis* first = names.empty() ? nullptr : axisNamed(m_axes, names.front());
    for (QCheckBox* box : m_boxes) {
        QString why = hindrance(axisOf(*box));
        const core::Axis* axis = axisNamed(m_axes, axisOf(*box));
        if (why.isEmpty() && first != nullptr && first->values.size() != axis->values.size())
            why = tr("%1, but %2: linked axes need equally many values")
                      .arg(axisCount(*axis), axisCount(*first));
        // One that no longer goes with the others can still be taken back.
        box->setEnabled(why.isEmpty() || box->isChecked());
        box->setToolTip(
            plainTip(why.isEmpty() ? tr("Link %1 with other axes").arg(axisCount(*axis)) : why));
        box->setAccessibleDescription(box->toolTip());
    }
    showLinkButton();
    showMessage(*m_message, message());
}

void LinkEdit::showLinkButton()
{
    const core::LinkedAxes names = chosen();
    m_link->setEnabled(names.size() >= 2 && objectionTo(names, m_axes).isEmpty());
    m_link->setToolTip(m_link->isEnabled()
                           ? tr("Advance these axes together instead of combining all values")
                           : tr("Select two or more axes with equally many values"));
}

QString LinkEdit::message() const
{
    for (const core::LinkedAxes& group : m_linked) {
        if (const QString objection = objectionTo(group, m_axes); !objection.isEmpty())
            return objection;
    }
    const auto free = std::count_if(m_offered.begin(), m_offered.end(),
                                    [this](const auto& name) { return hindrance(name).isEmpty(); });
    return free >= 2 || !m_linked.empty() ? QString()
                                          : tr("Needs two axes with several values each");
}

std::string LinkEdit::axisOf(const QCheckBox& box)
{
    return box.property(kAxis).toString().toStdString();
}

core::LinkedAxes LinkEdit::chosen() const
{
    core::LinkedAxes names;
    for (const QCheckBox* box : m_boxes) {
        if (box->isChecked())
            names.push_back(axisOf(*box));
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

#include "moc_link_edit.cpp"
