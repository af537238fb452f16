#pragma once

#include "core/sweep/preset.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QToolButton;

namespace qs::widgets {

class LineList;

// Which combinations the sweep leaves out, each with its reason.
class ExclusionEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit ExclusionEdit(QWidget* parent = nullptr);

    void setExclusions(const std::vector<core::Exclusion>& exclusions);

Q_SIGNALS:
    void exclusionsEdited(const std::vector<qs::core::Exclusion>& exclusions);

private:
    void check();
    void add();
    void remove(int place);

    std::vector<core::Exclusion> m_exclusions;
    LineList* m_rules;
    QLineEdit* m_match;
    QLineEdit* m_reason;
    QToolButton* m_add;
    QLabel* m_message;
};

}  // namespace qs::widgets
