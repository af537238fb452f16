#pragma once

#include "core/analysis/layer_search.h"
#include "core/analysis/sensitivity.h"
#include "core/sweep/sensitivity_preset.h"
#include "widgets/model/layer_search_state.h"
#include "widgets/models/run_store.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace qs::widgets {

class SensitivityPlot;
class SensitivitySearch;

// How much each layer or block of the run in view loses alone, and the cell that keeps the worst of
// them unquantized. Where the run has no such cells, it offers the sweep that measures them.
class SensitivityView final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the view.
    explicit SensitivityView(RunStore& store, QWidget* parent = nullptr);

    // Whether there is a sweep to offer.
    void setSweepPossible(bool possible);
    // Whether cells can be added to the run in view now, which a search does.
    void setSearchPossible(bool possible);
    // Of the search that was wanted; what it has found is wanted as a filter.
    void showSearch(const LayerSearchState& state);
    [[nodiscard]] const std::vector<core::Sensitivity>& found() const { return m_found; }

Q_SIGNALS:
    // A sweep of the draft with each part alone.
    void sweepWanted(qs::core::SensitivityUnit unit);
    // A layer filter for the draft.
    void filterWanted(const QString& filter);
    // By a person, of the parts that are shown.
    void searchWanted(const qs::core::LayerSearch& search, const qs::core::Gate& limit);
    void searchStopWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void buildChoices(QWidget* bar);
    [[nodiscard]] QWidget* buildKeep();
    [[nodiscard]] QWidget* buildOffer();
    void refresh();
    void showChosen();
    void showKept();
    void beginSearch(const core::Gate& limit);
    [[nodiscard]] const core::Sensitivity* chosen() const;

    RunStore& m_store;
    quint64 m_revision = 0;  // of the analysis that is shown
    std::vector<core::Sensitivity> m_found;
    QComboBox* m_which = nullptr;
    QComboBox* m_gain = nullptr;
    SensitivityPlot* m_plot = nullptr;
    QWidget* m_keep = nullptr;
    QSpinBox* m_kept = nullptr;
    QLabel* m_filter = nullptr;
    SensitivitySearch* m_search = nullptr;
    QWidget* m_offer = nullptr;
};

}  // namespace qs::widgets
