#include "tests/support/gui_test.h"
#include "widgets/models/phase_text.h"

#include <set>

namespace qs::tst_phase_text {

using namespace widgets;
using core::Phase;

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

const tests::GuiTest<PhaseTextTest> registered(__FILE_NAME__);

}  // namespace qs::tst_phase_text

#include "tst_phase_text.moc"
