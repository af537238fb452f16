#pragma once

#include "widgets/measured/measured_plot.h"
#include "widgets/models/run_store.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace qs::widgets {

class PhaseStrip;

// How the selected cell was measured: one of its rows with its phases, its samples over time, what
// the device did meanwhile, and every figure with its reason. Follows the selection of the store.
class MeasuredPanel final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the panel.
    explicit MeasuredPanel(RunStore& store, QWidget* parent = nullptr);

    [[nodiscard]] MeasuredPlot& plot() { return *m_plot; }

Q_SIGNALS:
    // The user wants to know in what the environments of the run differ.
    void environmentsWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* buildHead();
    [[nodiscard]] QWidget* buildDrawing();
    // Only while it is seen.
    void follow();
    void fillRounds(const std::vector<const core::Measurement*>& rows);
    [[nodiscard]] std::vector<const core::Measurement*> rowsOfSelected() const;
    void showRow();
    void showFacts(const std::vector<MeasuredFact>& facts);
    void showLegends(const core::Measurement& row);
    // What the analysis says of the cell over all its rounds, without what the row says itself.
    [[nodiscard]] QString remarksOnCell(const core::Measurement& row) const;
    void showNothing(const QString& why);
    [[nodiscard]] QString environmentNote(const core::Measurement& row) const;

    RunStore& m_store;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_empty = nullptr;
    QLabel* m_title = nullptr;
    QComboBox* m_rounds = nullptr;
    QLabel* m_environment = nullptr;
    QScrollArea* m_scroll = nullptr;
    PhaseStrip* m_strip = nullptr;
    QLabel* m_phases = nullptr;
    MeasuredPlot* m_plot = nullptr;
    QLabel* m_marks = nullptr;
    QLabel* m_remark = nullptr;
    QToolButton* m_samples = nullptr;
    QToolButton* m_whole = nullptr;
    QString m_cell;   // whose rows the chooser holds
    QString m_shown;  // which row is drawn: a row that is there does not change any more
    int m_round = 0;  // that was looked at last, kept from cell to cell
};

}  // namespace qs::widgets
