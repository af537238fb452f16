#pragma once

#include "widgets/plan/reason_texts.h"
#include "widgets/plan/swept_schemes.h"

#include <QList>
#include <QWidget>

class QCheckBox;
class QToolButton;

namespace qs::widgets {

// A box for each scheme that is offered, for the whole model, and beside it a button for the
// parameters that it has.
class SchemeGrid final : public QWidget
{
    Q_OBJECT

public:
    // `swept` outlives the grid.
    explicit SchemeGrid(SweptSchemes& swept, QWidget* parent = nullptr);

    // The swept schemes are others.
    void refresh();
    void setReasons(const Reasons& reasons);
    // Null: the scheme has no parameters.
    [[nodiscard]] QToolButton* optionsButton(std::size_t offered) const;

Q_SIGNALS:
    // By a person.
    void edited();
    void optionsRequested(std::size_t entry, const QRect& place);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Cell {
        core::Scheme scheme;
        QCheckBox* box;
        QToolButton* options;
    };

    void add(const core::Scheme& scheme);
    void toggle(std::size_t offered);

    SweptSchemes& m_swept;
    Reasons m_reasons;
    QList<Cell> m_cells;
};

}  // namespace qs::widgets
