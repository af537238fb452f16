#pragma once

#include "core/analysis/answer_support.h"

#include <QWidget>

namespace qs::app {

// How firm an answer is, at a glance: full for decided, half for a tie or few repeats, a ring for
// none yet. Told apart by its form as well as by its colour.
class StatusLight final : public QWidget
{
    Q_OBJECT

public:
    explicit StatusLight(QWidget* parent = nullptr);

    void setStanding(core::AnswerStanding standing);
    [[nodiscard]] core::AnswerStanding standing() const { return m_standing; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    core::AnswerStanding m_standing = core::AnswerStanding::Open;
};

}  // namespace qs::app
