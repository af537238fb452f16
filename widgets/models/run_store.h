#pragma once

#include "core/analysis/analysis.h"
#include "core/record/run_data.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <memory>

namespace qs::widgets {

class OtherRuns;
class ParkedRun;

// The run that is being looked at, with the one selection that every view shares. Lives on the GUI
// thread; views read from it and are told what changed. It keeps the analysis up to date.
class RunStore final : public QObject
{
    Q_OBJECT

public:
    explicit RunStore(QObject* parent = nullptr);

    [[nodiscard]] bool isEmpty() const { return data().plan.cells.empty(); }
    [[nodiscard]] const core::RunData& data() const { return m_kept->data; }
    // What is there now, for another thread to read. Nothing is copied: what comes while somebody
    // reads waits, see addMeasurement().
    [[nodiscard]] std::shared_ptr<const core::RunData> snapshot() const;
    [[nodiscard]] const core::Analysis& analysis() const { return *m_analysis; }
    // The same, for those who compare it with the next one.
    [[nodiscard]] std::shared_ptr<const core::Analysis> analysisToKeep() const
    {
        return m_analysis;
    }
    // Another one with every analysis.
    [[nodiscard]] quint64 revision() const { return m_revision; }
    [[nodiscard]] QString baseline() const { return m_baseline; }
    // The runs that are laid beside this one.
    [[nodiscard]] OtherRuns& others() const { return *m_others; }

    // Replaces everything: a run was opened or has begun. Selects nothing, and nothing is beside
    // it.
    void setRun(core::RunData data);
    // The same with its analysis for the baseline of its preset, made where it was read.
    void setRun(core::RunData data, core::Analysis analysis);
    // The run as it is, to come back to; nothing is copied. Another one is to be set after it: what
    // comes for the parked one is given to it from then on.
    [[nodiscard]] ParkedRun park() const;
    // Looks at a parked run again, with what came for it meanwhile and what was selected in it.
    void setRun(ParkedRun run);
    // A running sweep adds to the run. Batched: the analysis is made anew once per event loop turn,
    // on a thread of the pool. What comes while it is, or while a snapshot is read, waits and is
    // not in data() before.
    void addMeasurement(core::Measurement row);
    void addQuality(core::OutputQuality quality);
    void addEvent(core::RunEvent event);
    // Cells were appended to the plan; the selection stays.
    void growPlan(core::Plan plan);
    // "best-bf16", "bf16-eager" or a cell id; rewrites every ratio, with the next analysis.
    void setBaseline(const QString& baseline);

    // Ids of cells; empty for none. A is what is looked at, B what it is compared with (the quality
    // reference if empty).
    [[nodiscard]] QString selectedCell() const { return m_selected; }
    [[nodiscard]] QString comparedCell() const { return m_compared; }
    [[nodiscard]] int selectedPicture() const { return m_picture; }
    void selectCell(const QString& id);
    void compareWith(const QString& id);
    void selectPicture(int picture);

    // Whether the analysis is of all that is known: it is made in the background.
    [[nodiscard]] bool isAnalysed() const;

Q_SIGNALS:
    void runReplaced();
    void analysisChanged();
    // After the last change of the analysis that was under way.
    void analysed();
    void selectionChanged();

private:
    friend class ParkedRun;

    // The data with the number of those on other threads who read it.
    struct Kept {
        core::RunData data;
        std::atomic<int> readers = 0;
    };

    // Whether another thread reads the data: it must not be changed. Looks again later.
    [[nodiscard]] bool mustWait();
    void scheduleAnalysis();
    void analyseNow();
    void accept(std::shared_ptr<const core::Analysis> analysis);
    void keep(std::shared_ptr<const core::Analysis> analysis);
    void addWaiting();

    std::shared_ptr<Kept> m_kept = std::make_shared<Kept>();
    std::shared_ptr<Kept> m_analysed = m_kept;  // what the analysis points into
    std::shared_ptr<const core::Analysis> m_analysis = std::make_shared<core::Analysis>();
    OtherRuns* m_others;  // child
    quint64 m_revision = 0;
    QString m_baseline = QStringLiteral("best-bf16");
    QString m_selected;
    QString m_compared;
    int m_picture = 0;
    bool m_analysisPending = false;
    bool m_analysing = false;  // in the pool
    core::RunData m_waiting;   // plan, rows, qualities and events that came while the data was read
    QTimer m_readersGone{this};  // looks whether it still is
    QString m_analysedBaseline;
    quint64 m_job = 0;
};

// A run that nobody looks at for the moment, while it goes on. GUI thread.
class ParkedRun final
{
public:
    void setRun(core::RunData data, core::Analysis analysis);
    void addMeasurement(core::Measurement row);
    void addQuality(core::OutputQuality quality);
    void addEvent(core::RunEvent event);
    void growPlan(core::Plan plan);
    [[nodiscard]] const core::Plan& plan() const;

private:
    friend class RunStore;

    std::shared_ptr<RunStore::Kept> m_kept = std::make_shared<RunStore::Kept>();
    std::shared_ptr<RunStore::Kept> m_analysed = m_kept;
    std::shared_ptr<const core::Analysis> m_analysis = std::make_shared<core::Analysis>();
    core::RunData m_waiting;
    QString m_baseline;
    QString m_selected;
    QString m_compared;
    int m_picture = 0;
};

}  // namespace qs::widgets
