#pragma once

#include "app/gui/runs/run_catalogue.h"

#include <QByteArray>
#include <QObject>

class QTreeView;

namespace qs::app {

// The columns of a list of runs. They follow their texts and the room there is until somebody drags
// one: no name or cell pushes the rest out of sight, the name has what progress and speed-up, which
// are never cut, leave of the room, and columns that do not fit beside these are hidden.
class RunColumns final : public QObject
{
    Q_OBJECT

public:
    // The list has its model. It must outlive the object.
    explicit RunColumns(QTreeView& list);

    // As they were dragged; empty while they follow their texts.
    [[nodiscard]] QByteArray state() const;
    void restore(const QByteArray& state);
    // Texts or room are others now.
    void fit();
    // Also where it has no room.
    void show(RunCatalogue::Column column);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // It takes the room that the others leave.
    static constexpr RunCatalogue::Column kLastSeen = RunCatalogue::Tags;

    void order();
    void showAll();
    void fitTo(int column, int most);
    [[nodiscard]] int lastInSight() const;

    QTreeView& m_list;
    bool m_fitting = false;
    bool m_widthsKept = false;  // somebody has dragged one
};

}  // namespace qs::app
