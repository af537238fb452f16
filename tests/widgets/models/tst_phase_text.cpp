#include "widgets/models/phase_text.h"

#include <QTest>

#include <set>

using namespace qs::widgets;
using qs::core::Phase;

class PhaseTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPhaseHasAName()
    {
        std::set<QString> names;
        for (const Phase phase : qs::core::kPhaseNames.values()) {
            QVERIFY(names.insert(phaseText(phase)).second);
            QVERIFY(!phaseText(phase).isEmpty());
            QVERIFY(!phaseActivity(phase).isEmpty());
        }
        QCOMPARE(phaseText(Phase::Warmup), QStringLiteral("warm-up"));
        QCOMPARE(phaseActivity(Phase::Warmup), QStringLiteral("warming up"));
    }

    void phasesOfACellAreExplained()
    {
        for (const Phase phase : qs::core::kCellPhases)
            QVERIFY(!phaseExplanation(phase).isEmpty());
        QVERIFY(phaseExplanation(Phase::Paused).isEmpty());
    }
};

QTEST_GUILESS_MAIN(PhaseTextTest)
#include "tst_phase_text.moc"
