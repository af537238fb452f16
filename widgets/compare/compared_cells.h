#pragma once

#include "widgets/compare/loaded_pictures.h"
#include "widgets/compare/tile_strip.h"
#include "widgets/models/other_runs.h"
#include "widgets/models/run_store.h"

#include <QObject>

#include <array>
#include <string>
#include <vector>

namespace qs::widgets {

// The cells that are looked at side by side: A is the selected one of the store, B the one that it
// is compared with if that is not the reference, or the same cell of a run that is laid beside this
// one, and the others were pinned and stay while the
// selection goes on.
class ComparedCells final : public QObject
{
    Q_OBJECT

public:
    static constexpr int kPins = 9;
    // Places of cells: A, B, then the pinned ones.
    static constexpr int kA = 0;
    static constexpr int kB = 1;
    static constexpr int kFirstPin = 2;
    static constexpr int kCount = kFirstPin + kPins;

    // `store` must outlive the object.
    explicit ComparedCells(const RunStore& store, QObject* parent = nullptr);

    // "A", "B", "1" …
    [[nodiscard]] static QString label(int place);
    // Null where there is no cell.
    [[nodiscard]] const core::PlannedCell* cell(int place) const;
    [[nodiscard]] bool has(int place) const { return cell(place) != nullptr; }
    // The comparison of A with B where B is of another run; else null.
    [[nodiscard]] const core::MatchedCell* matched() const;
    // Of which B is then.
    [[nodiscard]] const OtherRun* otherRun() const;
    [[nodiscard]] bool isOfOtherRun(int place) const { return place == kB && matched() != nullptr; }
    [[nodiscard]] std::string referenceId() const;
    // That the figures of A come from: all pictures are of that one, see OutputPlaces.
    [[nodiscard]] std::string environment() const;

    // The output of a cell as it can be shown beside that of A, which there is.
    [[nodiscard]] OutputSource outputSource(const core::PlannedCell& cell) const;
    // What the panes and the strip of tiles show of these cells.
    [[nodiscard]] PictureRequest pictureRequest() const;
    [[nodiscard]] StripRequest stripRequest(int picture, const core::Tile& tile) const;

    // Gives the cell the pin (1 … kPins), or takes it away if it has it already.
    void pin(int pin, const QString& cellId);
    void unpin(int pin);
    [[nodiscard]] QString pinned(int pin) const;
    // At the first free pin, or off the one that it has.
    void togglePinned(const QString& cellId);

Q_SIGNALS:
    void pinsChanged();

private:
    // Beside A, whose figures are of this environment.
    [[nodiscard]] OutputSource sourceOf(const core::PlannedCell& cell, const core::PlannedCell& a,
                                        const std::string& environment) const;
    // B where it is of another run, beside A.
    [[nodiscard]] OutputSource otherSource(const core::PlannedCell& a) const;
    // Why pictures of a cell cannot be laid beside those of A; empty if they can.
    [[nodiscard]] QString whyNotBeside(const core::PlannedCell& a, const core::PlannedCell& cell,
                                       const std::string& environment) const;

    const RunStore& m_store;
    std::array<std::string, kPins> m_pinned;
};

// What was loaded for a cell; null where nothing was.
struct LoadedCell {
    const OutputSource* source = nullptr;
    const PaneContent* content = nullptr;
    const ComparisonContent* toReference = nullptr;
};
[[nodiscard]] LoadedCell loadedCell(const LoadedPictures* loaded, const ComparedCells& cells,
                                    int place);

}  // namespace qs::widgets
