#pragma once

#include "core/sweep/gate.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QToolButton;

namespace qs::widgets {

class LineList;

// What is expected of the cells of a sweep: "ssim_mean >= 0.99".
class GateEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit GateEdit(QWidget* parent = nullptr);

    void setGates(const std::vector<core::Gate>& gates);
    // "cv <= 5 %, speedup >= 1.2", or how many there are.
    [[nodiscard]] static QString summary(const std::vector<core::Gate>& gates);

Q_SIGNALS:
    void gatesEdited(const std::vector<qs::core::Gate>& gates);

private:
    void buildLine();
    void check();
    void add();
    void remove(int place);

    std::vector<core::Gate> m_gates;
    LineList* m_list;
    QLineEdit* m_text;
    QToolButton* m_add;
    QLabel* m_message;
};

}  // namespace qs::widgets
