#include "app/gui/settings.h"
#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"

namespace qs::tst_settings {

using app::Settings;
using app::Theme;

class TestSettings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsWithDefaults()
    {
        const Settings settings(file());
        QVERIFY(settings.geometry().isEmpty());
        QVERIFY(settings.recentPresets().isEmpty());
        QVERIFY(settings.answerQuestion() ==
                qs::core::AnswerQuestion{.limit = qs::core::QualityLimit::MinimumLikeness});
        QCOMPARE(settings.theme(), Theme::System);
        QCOMPARE(settings.runsFolder().filename().string(), std::string("QuantScope"));
    }

    void remembers()
    {
        {
            Settings settings(file());
            settings.setGeometry("g");
            settings.setSplitterState("s");
            settings.setColumnState("c");
            settings.setRunColumnState("r");
            settings.setLastFolders({{QStringLiteral("dialog"), QStringLiteral("/data")}});
            settings.setAnswerQuestion({.objective = qs::core::AnswerObjective::Memory,
                                        .limit = qs::core::QualityLimit::WithinNoise,
                                        .minimumLikeness = 0.95});
            settings.setMapWish({.kind = qs::widgets::MapKind::Signed, .range = 0.01});
            settings.setTheme(Theme::Dark);
            settings.setRunsFolder("/data/runs");
        }
        const Settings settings(file());
        QCOMPARE(settings.geometry(), QByteArray("g"));
        QCOMPARE(settings.splitterState(), QByteArray("s"));
        QCOMPARE(settings.columnState(), QByteArray("c"));
        QCOMPARE(settings.runColumnState(), QByteArray("r"));
        QCOMPARE(settings.lastFolders().value(QStringLiteral("dialog")).toString(),
                 QStringLiteral("/data"));
        QVERIFY(settings.answerQuestion().objective == qs::core::AnswerObjective::Memory);
        QVERIFY(settings.answerQuestion().limit == qs::core::QualityLimit::WithinNoise);
        QCOMPARE(settings.answerQuestion().minimumLikeness, 0.95);
        QVERIFY(settings.mapWish() ==
                (qs::widgets::MapWish{.kind = qs::widgets::MapKind::Signed, .range = 0.01}));
        QCOMPARE(settings.theme(), Theme::Dark);
        QCOMPARE(settings.runsFolder().string(), std::string("/data/runs"));
    }

    void nonsenseInTheFileIsTheUsual()
    {
        {
            QSettings raw(file(), QSettings::IniFormat);
            raw.setValue(QStringLiteral("answer/objective"), 77);
            raw.setValue(QStringLiteral("answer/minimum_likeness"), QStringLiteral("much"));
            raw.setValue(QStringLiteral("compare/map_kind"), 99);
            raw.setValue(QStringLiteral("compare/map_range"), QStringLiteral("wide"));
        }
        const Settings settings(file());
        QVERIFY(settings.answerQuestion().objective == qs::core::AnswerObjective::Energy);
        QCOMPARE(settings.answerQuestion().minimumLikeness, 0.99);
        QVERIFY(!settings.mapWish().range);
    }

    void recentIsNewestFirstWithoutRepetition()
    {
        Settings settings(file());
        const QString a = existing("a.json");
        const QString b = existing("b.json");
        settings.addRecentPreset(a);
        settings.addRecentPreset(b);
        settings.addRecentPreset(a);
        QCOMPARE(settings.recentPresets(), (QStringList{a, b}));
        QVERIFY(settings.recentRuns().isEmpty());
    }

    void modelsAndDraftHaveTheirPlaces()
    {
        Settings settings(file());
        const QString model = existing("weights.safetensors");
        settings.addRecentModel(model);
        QCOMPARE(settings.recentModels(), QStringList{model});
        QVERIFY(settings.recentPresets().isEmpty());
        QCOMPARE(settings.draftFile(), m_folder / "draft.json");
        QCOMPARE(settings.presetFolder(), m_folder / "presets");
    }

    void recentForgetsWhatIsGone()
    {
        Settings settings(file());
        settings.addRecentRun(QString::fromStdString((m_folder / "gone").string()),
                              QStringLiteral("Sweep"));
        QVERIFY(settings.recentRuns().isEmpty());
    }

    void recentRunsKeepTheNamesOfTheirSweeps()
    {
        Settings settings(file());
        const QString first = existing("first");
        settings.addRecentRun(first, QStringLiteral("Sweep"));
        settings.addRecentRun(existing("second"), QStringLiteral("Other"));
        QCOMPARE(settings.recentRunName(first), QStringLiteral("Sweep"));
        QCOMPARE(settings.recentRunName(existing("second")), QStringLiteral("Other"));
        // Names of what is no longer among them are forgotten.
        for (int i = 0; i < Settings::kMostRecent; ++i)
            settings.addRecentRun(existing("later" + std::to_string(i)), QStringLiteral("Later"));
        QCOMPARE(settings.recentRunName(first), QString());
    }

    void recentIsLimited()
    {
        Settings settings(file());
        for (int i = 0; i < Settings::kMostRecent + 3; ++i)
            settings.addRecentRun(existing("run" + std::to_string(i)), QStringLiteral("Sweep"));
        QCOMPARE(settings.recentRuns().size(), qsizetype{Settings::kMostRecent});
        QVERIFY(settings.recentRuns().front().endsWith(
            QStringLiteral("run%1").arg(Settings::kMostRecent + 2)));
    }

    void survivesNonsense()
    {
        qs::tests::writeFile(m_folder / "bad.ini",
                             "[window]\ntheme=77\n[recent]\npresets=@Invalid()\n");
        const Settings settings(QString::fromStdString((m_folder / "bad.ini").string()));
        QCOMPARE(settings.theme(), Theme::Dark);  // clamped
        QVERIFY(settings.recentPresets().isEmpty());
    }

private:
    // Another file for each test function.
    QString file() const
    {
        return QString::fromStdString(
            (m_folder / (std::string(QTest::currentTestFunction()) + ".ini")).string());
    }
    QString existing(const std::string& name) const
    {
        qs::tests::writeFile(m_folder / name, "x");
        return QString::fromStdString((m_folder / name).string());
    }

    qs::tests::TestFolder m_folder;
};

const tests::GuiTest<TestSettings> registered(__FILE_NAME__);

}  // namespace qs::tst_settings

#include "tst_settings.moc"
