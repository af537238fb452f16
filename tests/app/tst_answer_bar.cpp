#include "app/gui/answer_bar.h"
#include "app/gui/status_light.h"
#include "core/report/words/claim_text.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <iterator>
#include <utility>

namespace qs::tst_answer_bar {

using app::AnswerBar;
using tests::child;
using tests::sampleRun;

namespace {

// As a user does it: the signal comes from choosing, not from a change of the index.
void choose(QComboBox& box, const QVariant& data)
{
    const int index = box.findData(data);
    QVERIFY2(index >= 0, qPrintable(data.toString()));
    box.setCurrentIndex(index);
    Q_EMIT box.activated(index);
}

const core::AnswerQuestion kAnything{.limit = core::QualityLimit::None};

// The bar follows in an event of its own.
void showRun(widgets::RunStore& store, core::RunData data)
{
    store.setRun(std::move(data));
    QCoreApplication::processEvents();
}

}  // namespace

class TestAnswerBar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        tests::failOnQtWarnings();
        QLocale::setDefault(QLocale::c());
    }

    void baselineRewritesEveryRatio()
    {
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        showRun(store, sampleRun());
        auto* detail = child<QLabel>(bar, "answerDetail");
        QVERIFY(detail->text().contains(QStringLiteral("the speed of best bf16")));
        auto* chooser = child<QComboBox>(bar, "speedBaseline");
        QCOMPARE(chooser->currentText(), QStringLiteral("best bf16"));
        choose(*chooser, QStringLiteral("bf16-eager"));
        QCOMPARE(store.baseline(), QStringLiteral("bf16-eager"));
        QTRY_VERIFY(detail->text().contains(QStringLiteral("the speed of bf16 eager")));
        for (const core::CellSummary& cell : store.analysis().cells) {
            if (cell.speedup)
                QVERIFY2(cell.baselineId.starts_with("bf16-none"), cell.baselineId.c_str());
        }
        // Any cell: the selected one, and its name stays in the chooser.
        QCOMPARE(chooser->findData(QStringLiteral("selected-cell")), -1);
        store.selectCell(QStringLiteral("int8dq-none-b4"));
        choose(*chooser, QStringLiteral("selected-cell"));
        QCOMPARE(store.baseline(), QStringLiteral("int8dq-none-b4"));
        QTRY_COMPARE(chooser->currentText(), QStringLiteral("int8dq · eager · batch 4"));
        QTRY_VERIFY(detail->text().contains(QStringLiteral("int8dq · eager · batch 4")));
        store.selectCell(QStringLiteral("bf16-none-b4"));
        QCOMPARE(chooser->currentData().toString(), QStringLiteral("int8dq-none-b4"));
    }

    void warningsOfTheRunAreToldOnce()
    {
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        bar.show();
        const auto* warnings = child<QWidget>(bar, "runWarnings");
        showRun(store, sampleRun());
        QVERIFY(warnings->isHidden());
        core::RunData noisy = sampleRun();
        const std::string text =
            "this machine is not quiet: <b>the load</b> is 3.1 on 2 processors";
        noisy.events = {
            {"2026-11-22T01:00:00Z", core::EventKind::Started},
            {"2026-11-22T01:00:01Z", core::EventKind::Warning, {{core::NoteCode::Remark, {text}}}},
            {"2026-11-22T02:00:01Z", core::EventKind::Warning, {{core::NoteCode::Remark, {text}}}}};
        showRun(store, noisy);
        QVERIFY(warnings->isVisible());
        const auto* count = child<QToolButton>(bar, "runWarnings");
        QCOMPARE(count->text(), QStringLiteral("1"));
        const auto* shown = child<QLabel>(bar, "runWarningsText");
        QVERIFY(shown->text().startsWith(QStringLiteral("2026-11-22T01:00:01Z: ") +
                                         QString::fromStdString(text)));
        QCOMPARE(shown->textFormat(), Qt::PlainText);
        QVERIFY(!count->toolTip().contains(QStringLiteral("<b>")));
        QVERIFY(!shown->isVisible());
        QTest::mouseClick(child<QToolButton>(bar, "runWarnings"), Qt::LeftButton);
        QVERIFY(shown->isVisible());
        shown->window()->close();
        bar.resize(900, bar.height());
        tests::screenshot(bar, QStringLiteral("answer-warning"));
        // What says nothing of times casts no doubt on them.
        core::RunData fewer = sampleRun();
        fewer.events = {
            {"2026-11-22T01:00:01Z",
             core::EventKind::Warning,
             {{core::NoteCode::ImagesLeftOut, {1.0, std::string("bad.png: damaged")}}}}};
        showRun(store, fewer);
        QVERIFY(warnings->isVisible());
        QCOMPARE(count->text(), QStringLiteral("1"));
        QVERIFY(shown->text().contains(QStringLiteral("bad.png")));
        QCOMPARE(shown->text().count(QLatin1Char('\n')), 0);
        fewer.events[0].notes = {{core::NoteCode::TurboOn}};
        showRun(store, fewer);
        QCOMPARE(shown->text().count(QLatin1Char('\n')), 1);
        showRun(store, sampleRun());
        QVERIFY(warnings->isHidden());
    }

    void equalWorkOfAnotherSpeedIsAWarning()
    {
        core::RunData run = sampleRun();
        core::PlannedCell again = *run.plan.find("bf16-none-b4");
        const std::string reference = std::exchange(again.id, "bf16-again-b4");
        again.referenceId = reference;
        again.role = core::CellRole::NoiseFloor;
        again.rerun = 1;
        run.plan.cells.push_back(again);
        std::vector<core::Measurement> rows;
        std::copy_if(run.measurements.begin(), run.measurements.end(), std::back_inserter(rows),
                     [&](const core::Measurement& row) { return row.cellId == reference; });
        QVERIFY(!rows.empty());
        const auto withRerunOf = [&](double factor) {
            core::RunData data = run;
            for (core::Measurement row : rows) {
                row.cellId = again.id;
                for (auto* seconds : {&row.result.deviceSeconds, &row.result.hostSeconds}) {
                    for (double& each : *seconds)
                        each *= factor;
                }
                data.measurements.push_back(row);
            }
            return data;
        };
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        bar.show();
        const auto* warnings = child<QWidget>(bar, "runWarnings");
        showRun(store, withRerunOf(1.0));
        QVERIFY(warnings->isHidden());
        showRun(store, withRerunOf(0.5));
        QVERIFY(warnings->isVisible());
        const QString text = child<QLabel>(bar, "runWarningsText")->text();
        QVERIFY2(text.contains(QStringLiteral("differences below 2.00×")), qPrintable(text));
    }

    // What is said of a run changes while it goes on, and nothing may move under the pointer.
    void isOneLineWhateverItSays()
    {
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        bar.resize(1000, bar.sizeHint().height());
        bar.show();
        const int height = bar.height();
        const auto places = [&bar] {
            QList<QRect> found;
            for (const char* name : {"answerWhy", "showAnswer", "answerLight"})
                found << child<QWidget>(bar, name)->geometry();
            return found;
        };
        QApplication::processEvents();
        const QList<QRect> before = places();
        core::RunData noisy = sampleRun();
        noisy.events = {{"2026-11-22T01:00:01Z",
                         core::EventKind::Warning,
                         {{core::NoteCode::Remark, {std::string(300, 'x')}}}}};
        for (const core::RunData& data :
             {sampleRun(), noisy, sampleRun({.rounds = 1}), sampleRun({.trained = false}),
              sampleRun({.rounds = 0})}) {
            showRun(store, data);
            QApplication::processEvents();
            QCOMPARE(bar.height(), height);
            QCOMPARE(bar.minimumSizeHint().height(), height);
            QCOMPARE(places(), before);
        }
        QVERIFY(height < 3 * bar.fontMetrics().height());
    }

    // A long name is cut where there is little room, the figure behind it never.
    void theFigureStaysInANarrowBar()
    {
        core::RunData data = sampleRun();
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        bar.resize(2400, bar.sizeHint().height());
        bar.show();
        showRun(store, std::move(data));
        const auto* headline = child<QLabel>(bar, "answerHeadline");
        const auto* detail = child<QLabel>(bar, "answerDetail");
        const QString figure = bar.answer().figure;
        QVERIFY(!figure.isEmpty() && detail->text().startsWith(figure));
        QVERIFY(!figure.contains(QLatin1Char('[')));
        const auto whole = [&] {
            return headline->width() >= headline->fontMetrics().horizontalAdvance(headline->text());
        };
        QVERIFY(whole());
        const int rest = bar.width() - headline->width() - detail->width();
        const int least = bar.fontMetrics().horizontalAdvance(figure);
        // Room for the figure and half of the name.
        bar.resize(rest + least + headline->width() / 2, bar.height());
        QCoreApplication::processEvents();
        QVERIFY(!whole());
        QVERIFY2(detail->width() >= least, qPrintable(QString::number(detail->width())));
        QVERIFY(headline->width() > 0 && headline->geometry().right() < detail->geometry().left());
    }

    void theLightSaysHowFirmItIs()
    {
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        const auto standing = [&bar] {
            return child<app::StatusLight>(bar, "answerLight")->standing();
        };
        QCOMPARE(standing(), core::AnswerStanding::Open);
        showRun(store, sampleRun({.rounds = 1}));
        QCOMPARE(standing(), core::AnswerStanding::Unsure);
        showRun(store, sampleRun());
        QCOMPARE(standing(), core::AnswerStanding::Decided);
    }

    void questionIsAskedAnew()
    {
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        showRun(store, sampleRun());
        const QSignalSpy changed(&bar, &AnswerBar::questionChanged);
        choose(*child<QComboBox>(bar, "answerObjective"), int(core::AnswerObjective::Latency));
        QCOMPARE(changed.count(), 1);
        QVERIFY(child<QLabel>(bar, "answerHeadline")
                    ->text()
                    .startsWith(QStringLiteral("Lowest latency: ")));
        auto* ssim = child<QDoubleSpinBox>(bar, "minimumLikeness");
        QVERIFY(ssim->isHidden());
        choose(*child<QComboBox>(bar, "qualityLimit"), int(core::QualityLimit::MinimumLikeness));
        QVERIFY(!ssim->isHidden());
        ssim->setValue(1.0);
        QCOMPARE(changed.count(), 3);
        QCOMPARE(bar.question().minimumLikeness, 1.0);
        QVERIFY(bar.answer().cellId.startsWith(QStringLiteral("bf16")));
        choose(*child<QComboBox>(bar, "answerObjective"), int(core::AnswerObjective::Latency));
        QCOMPARE(changed.count(), 3);  // the same question is no new one
    }

    // It can be chosen only where a cell has it.
    void energyIsAskedForWhereItWasCounted()
    {
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        const auto* objective = child<QComboBox>(bar, "answerObjective");
        const auto offered = [&] {
            const QModelIndex row = objective->model()->index(
                objective->findData(int(core::AnswerObjective::Energy)), 0);
            return (row.flags() & Qt::ItemIsEnabled) != 0;
        };
        QVERIFY(!offered());
        core::RunData data = sampleRun();
        for (core::Measurement& row : data.measurements) {
            row.result.trace.points.clear();
            for (double second = 0.0; second <= 5.0; second += 1.0)
                row.result.trace.points.push_back({.at = second, .energyJoules = 100.0 * second});
            row.result.energy = core::PassStretch{.passes = 10, .start = 1.0, .seconds = 3.0};
        }
        showRun(store, data);
        QVERIFY(offered());
        for (core::Measurement& row : data.measurements)
            row.result.trace.points.clear();
        showRun(store, data);
        QVERIFY(!offered());
    }

    void samplesOfTwoSizesAreAskedForByName()
    {
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        showRun(store, sampleRun());
        const auto* samples = child<QComboBox>(bar, "answerSample");
        QVERIFY2(samples->isHidden(), "there is one size");
        core::RunData data = sampleRun();
        for (core::PlannedCell& cell : data.plan.cells) {
            if (cell.config.batch == 1)
                cell.config.sizes.set(std::string(core::kImageSize), 64);
        }
        showRun(store, std::move(data));
        QVERIFY(!samples->isHidden());
        QCOMPARE(samples->count(), 2);
        QCOMPARE(samples->currentText(), QStringLiteral("256 px"));
        QVERIFY(bar.answer().cellId.endsWith(QStringLiteral("-b16")));
        auto* ask = child<QToolButton>(bar, "answerAsk");
        bar.show();
        QTest::mouseClick(ask, Qt::LeftButton);
        QTest::mouseClick(child<QComboBox>(bar, "answerSample"), Qt::LeftButton);
        QTest::keyClick(samples->view(), Qt::Key_Home);
        QTest::keyClick(samples->view(), Qt::Key_Return);
        QCOMPARE(samples->currentText(), QStringLiteral("64 px"));
        QVERIFY(bar.answer().cellId.endsWith(QStringLiteral("-b1")));
        QVERIFY(ask->toolTip().contains(QStringLiteral("64 px")));
    }

    void selectionFollowsUntilTheUserSelects()
    {
        widgets::RunStore store;
        AnswerBar bar(store, kAnything);
        showRun(store, sampleRun());
        bar.selectAnswer();
        QCOMPARE(store.selectedCell(), bar.answer().cellId);
        choose(*child<QComboBox>(bar, "answerObjective"), int(core::AnswerObjective::Latency));
        QVERIFY(store.selectedCell().endsWith(QStringLiteral("-b1")));
        QCOMPARE(store.selectedCell(), bar.answer().cellId);
        store.selectCell(QStringLiteral("bf16-none-b4"));
        choose(*child<QComboBox>(bar, "answerObjective"), int(core::AnswerObjective::Throughput));
        QCOMPARE(store.selectedCell(), QStringLiteral("bf16-none-b4"));
    }

    void untrainedHasNoLimit()
    {
        widgets::RunStore store;
        AnswerBar bar(store, {.limit = core::QualityLimit::MinimumLikeness});
        showRun(store, sampleRun({.trained = false}));
        QVERIFY(!child<QComboBox>(bar, "qualityLimit")->isEnabled());
        QVERIFY(!child<QDoubleSpinBox>(bar, "minimumLikeness")->isEnabled());
        showRun(store, sampleRun());
        QVERIFY(child<QComboBox>(bar, "qualityLimit")->isEnabled());
    }

    // Texts: the limit is one that they can keep, and the first cell is one to look at.
    void textsAreAskedForWhatTheyHave()
    {
        core::RunData data = sampleRun();
        for (core::PlannedCell& cell : data.plan.cells)
            cell.output = core::OutputKind::Logits;
        for (core::OutputQuality& quality : data.qualities) {
            quality.figures.clear();
            const bool quantized = quality.cellId.starts_with("int8dq");
            quality.set("kl_divergence", quantized ? 0.1 : 0.001);
            quality.set("top1_agreement", quantized ? 0.9 : 0.995);
        }
        widgets::RunStore store;
        AnswerBar bar(store, {.limit = core::QualityLimit::MinimumLikeness});
        showRun(store, std::move(data));
        const core::Candidacy beyond = core::Candidacy::BeyondLimit;
        const auto& candidates = bar.answer().found.candidates;
        QVERIFY(std::any_of(candidates.begin(), candidates.end(), [&](const auto& each) {
            return each.cellId.starts_with("int8dq") && each.candidacy == beyond;
        }));
        QVERIFY(std::none_of(candidates.begin(), candidates.end(), [&](const auto& each) {
            return each.cellId.starts_with("bf16") && each.candidacy == beyond;
        }));
        bar.selectFirst();
        QVERIFY2(store.selectedCell().startsWith(QStringLiteral("int8dq")),
                 qPrintable(store.selectedCell()));
        const auto* limit = child<QComboBox>(bar, "qualityLimit");
        const QString title = QString::fromStdString(
            core::metricRegistry().likenessOf(core::OutputKind::Logits).title);
        QVERIFY(limit->itemText(limit->findData(int(core::QualityLimit::MinimumLikeness)))
                    .contains(title));
        QVERIFY(child<QToolButton>(bar, "answerAsk")->text().contains(title));
    }

    void whyListsEveryCellOnce()
    {
        widgets::RunStore store;
        AnswerBar bar(store,
                      {.limit = core::QualityLimit::MinimumLikeness, .minimumLikeness = 1.0});
        auto* why = child<QPushButton>(bar, "answerWhy");
        QVERIFY(!why->isEnabled());
        showRun(store, sampleRun({.withFailures = true}));
        bar.show();
        why->click();
        auto* cells = child<QTreeWidget>(bar, "answerWhyCells");
        QVERIFY(cells->isVisible());
        QStringList groups;
        QStringList ids;
        for (int i = 0; i < cells->topLevelItemCount(); ++i) {
            const QTreeWidgetItem* group = cells->topLevelItem(i);
            groups << group->text(0);
            for (int k = 0; k < group->childCount(); ++k)
                ids << group->child(k)->data(0, Qt::UserRole).toString();
        }
        QVERIFY2(groups.front().startsWith(QStringLiteral("The answer (1)")),
                 qPrintable(groups.join(QLatin1Char('\n'))));
        QVERIFY(groups.join(QString()).contains(QStringLiteral("Failed (")));
        QVERIFY(groups.join(QString()).contains(QStringLiteral("Beyond the quality limit")));
        QCOMPARE(ids.size(), static_cast<qsizetype>(bar.answer().found.candidates.size()));
        QCOMPARE(QSet<QString>(ids.begin(), ids.end()).size(), ids.size());
        QCOMPARE(ids.front(), bar.answer().cellId);
        // Choosing one selects it.
        cells->setCurrentItem(cells->topLevelItem(cells->topLevelItemCount() - 1)->child(0));
        QCOMPARE(store.selectedCell(),
                 ids[ids.size() - cells->currentItem()->parent()->childCount()]);
        QVERIFY(child<QLabel>(bar, "answerWhyText")
                    ->text()
                    .contains(QStringLiteral("Mean SSIM ≥ 1.0000")));
        tests::screenshot(*cells->window(), QStringLiteral("answer-why"));
    }

    void whyShowsTheClaimsOfThePreset()
    {
        widgets::RunStore store;
        AnswerBar bar(store, {});
        core::RunData data = sampleRun();
        core::Claim claim{.text = "int8dq is faster", .source = "a document", .expect = {}};
        claim.expect.push_back(core::gateFromText("speedup > 0.01 for precision=int8dq").value());
        core::Claim contrary = claim;
        contrary.expect.front().value = 1000.0;
        data.plan.preset.claims = {claim, contrary};
        showRun(store, data);
        bar.show();
        QTest::mouseClick(child<QPushButton>(bar, "answerWhy"), Qt::LeftButton);
        auto* cells = child<QTreeWidget>(bar, "answerWhyCells");
        const QTreeWidgetItem* group = cells->topLevelItem(cells->topLevelItemCount() - 1);
        QCOMPARE(group->childCount(), 2);
        const auto& outcomes = store.analysis().claims;
        QCOMPARE(outcomes[0].result, core::ClaimResult::Confirmed);
        QCOMPARE(outcomes[1].result, core::ClaimResult::Contradicted);
        for (int i = 0; i < 2; ++i)
            QCOMPARE(
                group->child(i)->text(1),
                QString::fromUtf8(core::claimResultText(outcomes[std::size_t(i)].result).data()));
        // A claim leads to the first cell that it speaks of.
        cells->scrollToItem(group->child(1));
        // At its left end: a row may be wider than what is seen of it.
        const QRect row = cells->visualItemRect(group->child(1));
        QTest::mouseClick(cells->viewport(), Qt::LeftButton, {},
                          {row.left() + row.height(), row.center().y()});
        QCOMPARE(store.selectedCell(), QString::fromStdString(outcomes[1].cells.front().cellId));
        tests::screenshot(*cells->window(), QStringLiteral("answer-why-claims"));
    }
};

const tests::GuiTest<TestAnswerBar> registered(__FILE_NAME__);

}  // namespace qs::tst_answer_bar

#include "tst_answer_bar.moc"
