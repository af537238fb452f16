#pragma once

#include "core/record/environment.h"

#include <QTreeWidget>

#include <vector>

namespace qs::core {
struct EnvironmentField;
}

namespace qs::widgets {

// One environment as a column of the table.
struct EnvironmentColumn {
    QString title;
    QString toolTip;
    core::Environment environment;
};

// Environments side by side: what differs comes first and open, the rest is folded away. Every line
// says in its tool tip why it matters to whoever compares rows.
class EnvironmentTable final : public QTreeWidget
{
    Q_OBJECT

public:
    explicit EnvironmentTable(QWidget* parent = nullptr);

    void showColumns(const std::vector<EnvironmentColumn>& columns);
    // Of the columns shown.
    [[nodiscard]] int differing() const { return m_differing; }
    [[nodiscard]] int fields() const { return m_fields; }

private:
    void addField(QTreeWidgetItem& group, const core::EnvironmentField& field);
    void fitColumns();

    int m_differing = 0;
    int m_fields = 0;
};

}  // namespace qs::widgets
