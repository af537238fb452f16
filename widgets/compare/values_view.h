#pragma once

#include "widgets/background/latest_task.h"
#include "widgets/compare/compared_cells.h"
#include "widgets/compare/loaded_values.h"
#include "widgets/compare/value_table.h"

#include <QWidget>

#include <functional>
#include <memory>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace qs::widgets {

class CompareHeading;
class DifferencePlot;
class GeneratedTexts;
class SampleList;
class TokenModel;

// Outputs that are not images: the text that each cell wrote, the likeliest tokens or classes, or
// the largest differences, of one sample beside the quality reference. Samples are listed with the
// worst first.
class ValuesView final : public QWidget
{
    Q_OBJECT

public:
    // Called on a worker thread; replaced in tests.
    using Loader = std::function<LoadedValues(const ValuesRequest&)>;

    // `store` and `cells` must outlive the view.
    ValuesView(RunStore& store, ComparedCells& cells, QWidget* parent = nullptr,
               Loader loader = loadValues);

    // The selection, the cells or what is known of them changed; there is a cell A, whose outputs
    // are no images.
    void showCells();
    // Another run.
    void clear();
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }
    // The button that gives the comparison all the room.
    void setLarge(bool large);

Q_SIGNALS:
    void largeToggled(bool large);
    void measuredWanted();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    // A table under a heading; both are seen only where there is something in it.
    struct Part {
        QLabel* heading = nullptr;
        ValueTableView* view = nullptr;
        ValueTableModel* rows = nullptr;
    };
    void build();
    [[nodiscard]] QHBoxLayout* makeHead();
    [[nodiscard]] QWidget* makeParts();
    [[nodiscard]] Part addPart(QVBoxLayout& column, const QString& name, const QString& title);
    static void showPart(const Part& part, ValueTable table);
    [[nodiscard]] ValuesRequest requestNow(const core::PlannedCell& a) const;
    void load(const ValuesRequest& request);
    void showLoaded(const std::shared_ptr<const LoadedValues>& loaded);
    void showTexts(const std::shared_ptr<const LoadedValues>& loaded);

    RunStore& m_store;
    ComparedCells& m_cells;
    Loader m_loader;
    LatestTask<std::shared_ptr<const LoadedValues>> m_task;
    ValuesRequest m_requested;
    CompareHeading* m_heading;
    QLabel* m_sample;
    QToolButton* m_pin;
    QToolButton* m_large;
    SampleList* m_samples;
    QLabel* m_missing;
    Part m_figures;
    QLabel* m_prompt;
    QLabel* m_readHeading;
    GeneratedTexts* m_read;
    TokenModel* m_tokens;
    QLabel* m_textHeading;
    ValueTableView* m_texts;
    Part m_scores;
    QLabel* m_plotHeading;
    DifferencePlot* m_plot;
    Part m_differences;
};

}  // namespace qs::widgets
