#pragma once

#include "widgets/compare/compare_maps.h"
#include "widgets/compare/compare_tools.h"
#include "widgets/compare/comparison_export.h"
#include "widgets/compare/pane_contents.h"
#include "widgets/compare/reference_hold.h"

#include <QWidget>

#include <functional>
#include <memory>

class QLabel;
class QStackedWidget;

namespace qs::widgets {

class ColorBar;
class CompareHeading;
class TilePanel;
class ValuesView;

// The outputs of the selected cell: where they are images, the pictures of the selected cell beside
// those of its reference, of a second cell and of cells that were pinned, each with its map, under
// one zoom and one colour scale. Follows the selection of the store. Brings the parts together:
// what is compared, the panes and what fills them, maps, tiles and controls.
class CompareView final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the view. `loader` is replaced in tests.
    explicit CompareView(RunStore& store, QWidget* parent = nullptr,
                         PictureSet::Loader loader = loadPictures);

    // Shows the tile with the lowest SSIM of the comparison that the map shows; called again, the
    // next worst, and after the last the first. The strip shows that tile in all cells.
    void showNextWorstTile();
    // Only this pane, or all again if it is alone already; null: all.
    void showAlone(const PicturePane* pane);
    // This pane alone in all the room of the window, or everything as before again.
    void toggleLarge(const PicturePane& pane);
    // All the room of the window for the comparison; the window does what roomWanted() asks for.
    void setWantsRoom(bool wanted);
    [[nodiscard]] bool wantsRoom() const { return m_wantsRoom; }

    // What exportPng() writes: the comparison as a picture for a report. Always light.
    [[nodiscard]] core::Result<ExportSheet> exportSheet();
    // Captions, colour bar, the worst tile magnified; the preset and the environment as texts of
    // the PNG. Written by a worker; `done` is called on the GUI thread, at once if there is nothing
    // to export. Lets go of a held reference.
    void exportPng(const std::filesystem::path& path, std::function<void(core::Status)> done);

    // Pictures, maps, scores, the strip or an export are under way.
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] ComparedCells& cells() { return m_cells; }
    [[nodiscard]] const PictureSet& pictures() const { return m_set; }
    [[nodiscard]] SharedView& sharedView() { return m_view; }
    [[nodiscard]] const ComparePanes& panes() const { return m_panes; }
    [[nodiscard]] CompareControls& controls() { return *m_controls; }
    [[nodiscard]] TilePanel& tiles() { return *m_tiles; }
    [[nodiscard]] CompareTools& tools() { return *m_tools; }
    // The reference in place of every cell while it is held.
    [[nodiscard]] ReferenceHold& referenceHold() { return *m_hold; }
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void roomWanted(bool wanted);
    // The user wants to know how A was measured.
    void measuredWanted();

protected:
    // The keyboard goes on to pane A, where it is seen.
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void build();
    void connectSources();
    void connectControls();
    void followAnalysis();
    void choosePicture(int picture);
    // Selects the cell that A offers in place of its own missing pictures.
    void showNearest();
    [[nodiscard]] bool handleToolKey(int key);

    void showLoaded();
    void showCells();
    void showSplit();
    void showVisiblePanes();
    void showStrip();
    void showPlace();

    RunStore& m_store;
    ComparedCells m_cells;
    PictureSet m_set;
    SharedView m_view;
    RegionScorer m_scorer;
    TonedImages m_tones;
    LatestTask<std::optional<core::Status>> m_export;
    PaneGrid* m_grid;
    CompareControls* m_controls;
    ComparePanes m_panes;
    CompareMaps m_maps;
    PaneContents m_contents;
    CompareHeading* m_heading;
    ColorBar* m_legend;
    TilePanel* m_tiles;
    QStackedWidget* m_stack;
    QLabel* m_empty;
    QWidget* m_page;
    ValuesView* m_values;  // in place of the page where the outputs are not images
    QLabel* m_place;
    PictureRequest m_requested;
    CompareTools* m_tools = nullptr;  // child
    bool m_wantsRoom = false;
    std::unique_ptr<ReferenceHold> m_hold;  // it watches everything: gone before what it changes
};

}  // namespace qs::widgets
