#pragma once

#include "core/base/result.h"
#include "widgets/compare/compare_controls.h"
#include "widgets/compare/picture_set.h"
#include "widgets/compare/shared_view.h"
#include "widgets/models/run_store.h"

#include <QWidget>

#include <array>
#include <filesystem>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace qs::widgets {

class ColorBar;
class PaneGrid;
class PicturePane;

// The pictures of the selected cell beside those of its reference and of a second cell, under one
// zoom and one colour scale. Follows the selection of the store.
class CompareView final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the view. `loader` is replaced in tests.
    explicit CompareView(RunStore& store, QWidget* parent = nullptr,
                         PictureSet::Loader loader = loadPictures);
    ~CompareView() override;

    // Shows the tile with the lowest SSIM of the comparison that the map shows; called again, the
    // next worst, and after the last the first.
    void showNextWorstTile();
    // The reference in place of A while it is held.
    void holdReference(bool held);
    [[nodiscard]] bool isReferenceHeld() const { return m_referenceHeld; }

    // The comparison as a picture for a report: captions, colour bar, the worst tile magnified; the
    // preset and the environment as texts of the PNG. Always light. Lets go of a held reference.
    [[nodiscard]] core::Status exportPng(const std::filesystem::path& path);

    [[nodiscard]] SharedView& sharedView() { return m_view; }
    [[nodiscard]] const PictureSet& pictures() const { return m_set; }
    [[nodiscard]] PicturePane& pane(PaneRole role) const
    {
        return *m_panes[static_cast<std::size_t>(role)];
    }
    [[nodiscard]] CompareControls& controls() { return *m_controls; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void connectAll();
    void followSelection();
    void followAnalysis();
    [[nodiscard]] PictureRequest makeRequest() const;
    [[nodiscard]] OutputSource sourceOf(const std::string& cellId) const;
    [[nodiscard]] const core::PlannedCell* cellA() const;
    // Null when it is the reference.
    [[nodiscard]] const core::PlannedCell* cellB() const;
    [[nodiscard]] std::string referenceId() const;
    [[nodiscard]] const ComparisonContent& mapComparison() const;
    void choosePicture(int picture);
    void zoomStep(double factor);

    void showHeading();
    void showPictureNames();
    void showLoaded();
    void showPanes();
    void showMap();
    void showPaneContent(PaneRole role, const PaneContent& content);
    void showPaneA();
    void showTitles();
    void showVisiblePanes();
    void showPlace();

    RunStore& m_store;
    PictureSet m_set;
    SharedView m_view;
    CompareControls* m_controls = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_empty = nullptr;
    QWidget* m_page = nullptr;
    QLabel* m_heading = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_untrained = nullptr;
    QLabel* m_place = nullptr;
    PaneGrid* m_grid = nullptr;
    ColorBar* m_bar = nullptr;
    QToolButton* m_magnify = nullptr;
    std::array<PicturePane*, kPaneCount> m_panes{};
    bool m_referenceHeld = false;
    std::size_t m_nextTile = 0;
    PictureRequest m_requested;
};

}  // namespace qs::widgets
