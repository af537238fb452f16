#pragma once

#include "core/analysis/quality_comparison.h"
#include "core/base/result.h"
#include "widgets/compare/compare_controls.h"
#include "widgets/compare/comparison_export.h"
#include "widgets/compare/map_drawer.h"
#include "widgets/compare/picture_set.h"
#include "widgets/compare/region_scorer.h"
#include "widgets/compare/shared_view.h"
#include "widgets/compare/tile_strip.h"
#include "widgets/models/run_store.h"

#include <QWidget>

#include <array>
#include <filesystem>
#include <functional>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace qs::widgets {

class ColorBar;
class PaneGrid;
class PicturePane;
class TileStripView;

// The pictures of the selected cell beside those of its reference, of a second cell and of cells
// that were pinned, each with its map, under one zoom and one colour scale. Follows the selection
// of the store.
class CompareView final : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kPins = 9;

    // `store` must outlive the view. `loader` is replaced in tests.
    explicit CompareView(RunStore& store, QWidget* parent = nullptr,
                         PictureSet::Loader loader = loadPictures);
    ~CompareView() override;

    // Shows the tile with the lowest SSIM of the comparison that the map shows; called again, the
    // next worst, and after the last the first. The strip shows that tile in all cells.
    void showNextWorstTile();
    // The reference in place of every cell while it is held.
    void holdReference(bool held);
    [[nodiscard]] bool isReferenceHeld() const { return m_referenceHeld; }

    // Gives the cell pane `pin` (1 … kPins), which stays while the selection goes on; the cell that
    // has it already loses it.
    void pinCell(int pin, const QString& cellId);
    void unpin(int pin);
    [[nodiscard]] QString pinnedCell(int pin) const;
    // In the first free pane, or out of the one that it has.
    void togglePinned(const QString& cellId);

    // All the room of the window for the comparison; the window does what roomWanted() asks for.
    void setWantsRoom(bool wanted);
    [[nodiscard]] bool wantsRoom() const { return m_wantsRoom; }
    // Only this pane, or all again if it is alone already; null: all.
    void showAlone(PicturePane* pane);

    // What exportPng() writes: the comparison as a picture for a report. Always light.
    [[nodiscard]] core::Result<ExportSheet> exportSheet();
    // Captions, colour bar, the worst tile magnified; the preset and the environment as texts of
    // the PNG. Written by a worker; `done` is called on the GUI thread, at once if there is nothing
    // to export. Lets go of a held reference.
    void exportPng(const std::filesystem::path& path, std::function<void(core::Status)> done);

    // Pictures, maps, scores, the strip or an export are under way.
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] SharedView& sharedView() { return m_view; }
    [[nodiscard]] const PictureSet& pictures() const { return m_set; }
    // Map is that of A.
    [[nodiscard]] PicturePane& pane(PaneRole role) const;
    [[nodiscard]] PicturePane& pinnedPane(int pin) const;
    [[nodiscard]] PicturePane& pinnedMap(int pin) const;
    [[nodiscard]] PicturePane& mapOfB() const { return *m_cells[kB].map; }
    [[nodiscard]] CompareControls& controls() { return *m_controls; }
    [[nodiscard]] TileStripModel& strip() { return m_strip; }
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void roomWanted(bool wanted);
    // The user wants to know how A was measured.
    void measuredWanted();

protected:
    // The keyboard goes on to pane A, where it is seen.
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    // Cells that have panes: A, B, then the pinned ones.
    static constexpr int kA = 0;
    static constexpr int kB = 1;
    static constexpr int kFirstPin = 2;
    static constexpr int kCells = kFirstPin + kPins;
    struct CellPanes {
        PicturePane* picture = nullptr;
        PicturePane* map = nullptr;
    };
    // What was loaded for a cell; null where nothing was.
    struct LoadedCell {
        const OutputSource* source = nullptr;
        const PaneContent* content = nullptr;
        const ComparisonContent* toReference = nullptr;
    };
    struct SplitChoice {
        QString name;
        const PaneContent* content = nullptr;
    };

    void build();
    void buildPanes();
    QLayout* buildFoot();
    void connectAll();
    void connectTools();
    void followSelection();
    void followAnalysis();
    [[nodiscard]] PictureRequest makeRequest() const;
    [[nodiscard]] OutputSource sourceOf(const std::string& cellId) const;
    // That the figures of A come from: all pictures are of that one, see OutputPlaces.
    [[nodiscard]] std::string environment() const;
    // Why pictures of another cell cannot be laid beside those of A; empty if they can.
    [[nodiscard]] QString whyNotBesideA(const core::PlannedCell& cell) const;
    [[nodiscard]] const core::PlannedCell* cellA() const;
    // Null when it is the reference.
    [[nodiscard]] const core::PlannedCell* cellB() const;
    [[nodiscard]] std::string referenceId() const;
    void choosePicture(int picture);
    void zoomStep(double factor);
    bool handleToolKey(int key);
    [[nodiscard]] PicturePane* paneInHand() const;

    [[nodiscard]] QString cellLabel(int cell) const;
    [[nodiscard]] bool hasCell(int cell) const;
    [[nodiscard]] LoadedCell loadedCell(int cell) const;
    // What the map of a cell shows; null for none.
    [[nodiscard]] const ComparisonContent* mapComparison(int cell) const;
    [[nodiscard]] bool isMapWanted(int cell) const;
    [[nodiscard]] std::vector<SplitChoice> splitChoices() const;

    void showHeading();
    void showPictureNames();
    void showLoaded();
    void showPanes();
    void showPaneContent(PicturePane& pane, const PaneContent& content);
    void showFixedTitles();
    void showCell(int cell);
    void showCells();
    [[nodiscard]] QStringList cellCaption(int cell, const LoadedCell& loaded) const;
    // Of the analysis that there is; it reads all qualities of the run.
    void judge();
    void showSplit();
    void drawMaps();
    void showMaps();
    void showMap(int cell, const DrawnMap& drawn);
    void showScale();
    void showVisiblePanes();
    void showPlace();

    void goToTile(const core::Tile& tile);
    void showStrip();
    void showStripAtA();
    [[nodiscard]] StripRequest makeStripRequest() const;
    void setRegionMode(bool on);
    void scoreRegion();
    void leaveOneMode();

    RunStore& m_store;
    PictureSet m_set;
    SharedView m_view;
    MapDrawer m_maps;
    RegionScorer m_scorer;
    TileStripModel m_strip;
    LatestTask<std::optional<core::Status>> m_export;
    CompareControls* m_controls = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_empty = nullptr;
    QWidget* m_page = nullptr;
    QLabel* m_heading = nullptr;
    QLabel* m_untrained = nullptr;
    QLabel* m_place = nullptr;
    PaneGrid* m_grid = nullptr;
    ColorBar* m_bar = nullptr;
    QToolButton* m_magnify = nullptr;
    QLabel* m_stripTitle = nullptr;
    TileStripView* m_stripView = nullptr;
    PicturePane* m_input = nullptr;
    PicturePane* m_reference = nullptr;
    std::array<CellPanes, kCells> m_cells{};
    std::array<std::string, kPins> m_pinned;
    PicturePane* m_alone = nullptr;
    bool m_referenceHeld = false;
    bool m_wantsRoom = false;
    std::size_t m_nextTile = 0;
    std::optional<core::Tile> m_tile;  // that was jumped to
    int m_tilePicture = 0;             // in which picture
    double m_clearer = 0.0;            // range that the magnify button chooses
    PictureRequest m_requested;
    core::QualityComparison m_judged;  // A against B; without a verdict if there is no B
};

}  // namespace qs::widgets
