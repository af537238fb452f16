#pragma once

#include <QList>
#include <QObject>

class QSplitter;

namespace qs::widgets {
class CompareView;
class RunStore;
}  // namespace qs::widgets

namespace qs::app {

class UsualSplit;

// Whether the comparison has its part of the window. A run without anything to lay side by side
// leaves it to the results, and so does a plot or table that wants all the room; afterwards
// everything is as wide as before.
class ComparisonRoom final : public QObject
{
    Q_OBJECT

public:
    struct Parts {
        QSplitter& splitter;  // of the results and the comparison
        UsualSplit& split;
        widgets::CompareView& compare;
    };
    // A child of the splitter. `store` must outlive it.
    ComparisonRoom(const Parts& parts, const widgets::RunStore& store);

    void setResultsWantRoom(bool wanted);
    // Outputs of a run that goes on are still to come.
    void setRunning(bool running);
    // Nothing is there to be compared, and nothing will come.
    [[nodiscard]] bool isLeft() const { return m_left; }
    // Sizes can be saved: every part has its own.
    void takeBack();

Q_SIGNALS:
    // isLeft() may have changed.
    void judged();

private:
    void judge();
    void update();

    Parts m_parts;
    const widgets::RunStore& m_store;
    QList<int> m_widths;  // with the comparison
    bool m_resultsWantRoom = false;
    bool m_running = false;
    bool m_left = false;
};

}  // namespace qs::app
