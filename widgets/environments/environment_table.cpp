#include "widgets/environments/environment_table.h"

#include "core/report/words/environment_field_text.h"
#include "widgets/layout/roomy_rows.h"
#include "widgets/models/plain_tip.h"

#include <QHeaderView>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kWidestLetters = 44;

QTreeWidgetItem* addGroup(QTreeWidget& table, const QString& title, const QString& toolTip)
{
    auto* group = new QTreeWidgetItem(&table, {title});
    QFont bold = table.font();
    bold.setBold(true);
    group->setFont(0, bold);
    group->setToolTip(0, plainTip(toolTip));
    group->setFirstColumnSpanned(true);
    return group;
}

}  // namespace

EnvironmentTable::EnvironmentTable(QWidget* parent) : QTreeWidget(parent)
{
    setObjectName(QStringLiteral("environmentTable"));
    setAccessibleName(tr("Environments"));
    setAlternatingRowColors(true);
    setUniformRowHeights(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setTextElideMode(Qt::ElideMiddle);
    setItemDelegate(new RoomyRows(this));
    header()->setStretchLastSection(true);
    header()->setSectionsMovable(false);
}

void EnvironmentTable::addField(QTreeWidgetItem& group, const core::EnvironmentField& field)
{
    auto* line = new QTreeWidgetItem(&group);
    const QString reason = QString::fromStdString(core::fieldReason(field.fact));
    line->setText(0, QString::fromStdString(core::fieldName(field)));
    line->setToolTip(0, plainTip(reason));
    QFont untold = font();
    untold.setItalic(true);
    const std::vector<std::string> values = core::fieldValues(field);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const int column = static_cast<int>(i) + 1;
        const QString value = QString::fromStdString(values[i]);
        line->setText(column, value.isEmpty() ? tr("not reported") : value);
        if (value.isEmpty())
            line->setFont(column, untold);
        line->setToolTip(column,
                         plainTip(value.isEmpty() ? reason : value + QLatin1Char('\n') + reason));
    }
    const std::string effect = core::effectText(core::effectOf(field.fact));
    line->setText(static_cast<int>(values.size()) + 1,
                  effect.empty() ? QStringLiteral("–") : QString::fromStdString(effect));
}

void EnvironmentTable::showColumns(const std::vector<EnvironmentColumn>& columns)
{
    clear();
    QStringList titles{tr("Field")};
    std::vector<core::Environment> environments;
    for (const EnvironmentColumn& column : columns) {
        titles << column.title;
        environments.push_back(column.environment);
    }
    titles << tr("May affect");
    setColumnCount(static_cast<int>(titles.size()));
    setHeaderLabels(titles);
    for (std::size_t i = 0; i < columns.size(); ++i)
        headerItem()->setToolTip(static_cast<int>(i) + 1, plainTip(columns[i].toolTip));
    const std::vector<core::EnvironmentField> fields = core::compareEnvironments(environments);
    m_fields = static_cast<int>(fields.size());
    m_differing = static_cast<int>(std::count_if(fields.begin(), fields.end(),
                                                 [](const auto& field) { return field.differs; }));
    if (fields.empty())
        return;
    QTreeWidgetItem* different =
        m_differing == 0 ? nullptr
                         : addGroup(*this, tr("Different (%1)").arg(m_differing),
                                    tr("Fields that are not equal in all environments"));
    QTreeWidgetItem* equal =
        m_differing == m_fields
            ? nullptr
            : addGroup(*this,
                       columns.size() > 1 ? tr("Equal (%1)").arg(m_fields - m_differing)
                                          : tr("All fields (%1)").arg(m_fields),
                       tr("Fields that are equal in all environments"));
    for (const core::EnvironmentField& field : fields)
        addField(*(field.differs ? different : equal), field);
    if (different != nullptr)
        different->setExpanded(true);
    else if (equal != nullptr)
        equal->setExpanded(true);
    fitColumns();
}

void EnvironmentTable::fitColumns()
{
    const int letter = fontMetrics().averageCharWidth();
    for (int column = 0; column < columnCount(); ++column) {
        resizeColumnToContents(column);
        setColumnWidth(column, std::min(columnWidth(column) + 2 * letter, kWidestLetters * letter));
    }
}

}  // namespace qs::widgets

#include "moc_environment_table.cpp"
