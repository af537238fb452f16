#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/drop.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/preset_browser.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QUrl>
#include <QWheelEvent>
#include <QWindow>

#include <nlohmann/json.hpp>

namespace qs::tst_preset_browser {

using namespace widgets;
using tests::child;

namespace {

std::string text(const std::string& name, const std::string& axes = "{}")
{
    return nlohmann::json({{"schema_version", 1},
                           {"name", name},
                           {"description", "about " + name},
                           {"defaults", {{"model", "demo"}}},
                           {"axes", nlohmann::json::parse(axes)}})
        .dump();
}

// Shipped: Alpha and a broken one. Own: Mine, and as many more as wanted. Recent: Alpha.
class Fixture
{
public:
    explicit Fixture(int more = 0)
    {
        std::filesystem::create_directories(m_folder / "shipped" / "quick_start");
        std::filesystem::create_directories(m_folder / "own");
        tests::writeFile(m_folder / "shipped" / "quick_start" / "alpha.json",
                         text("Alpha", R"({"batch": "1..8 pow2"})"));
        tests::writeFile(m_folder / "shipped" / "quick_start" / "broken.json",
                         text("Broken", R"({"batch": [1, 0]})"));
        tests::writeFile(m_folder / "own" / "mine.json", text("Mine"));
        for (int i = 0; i < more; ++i) {
            const std::string name = "More " + std::to_string(10 + i);
            tests::writeFile(presetFile(m_folder / "own", QString::fromStdString(name)),
                             text(name));
        }
        core::Preset draft;
        draft.name = "Draft";
        draft.defaults.model = "demo";
        draft.defaults.precision = {"bf16"};
        m_browser = new PresetBrowser(
            {m_folder / "shipped",
             m_folder / "own",
             {QString::fromStdString(
                 (m_folder / "shipped" / "quick_start" / "alpha.json").string())}},
            draft, nullptr);
        m_browser->show();
        [&] { QTRY_VERIFY(!m_browser->isBusy()); }();
    }
    ~Fixture() { delete m_browser; }

    PresetBrowser& browser() { return *m_browser; }
    bool closed() const { return m_browser == nullptr || !m_browser->isVisible(); }
    std::filesystem::path own() const { return m_folder / "own"; }
    std::filesystem::path operator/(const std::string& name) const { return m_folder / name; }

    QTreeWidget& tree() { return *child<QTreeWidget>(*m_browser, "presetTree"); }

    // The n-th row of a group.
    QTreeWidgetItem* row(const char* group, int n)
    {
        const auto found = tree().findItems(QString::fromLatin1(group), Qt::MatchStartsWith);
        return found.isEmpty() ? nullptr : found.front()->child(n);
    }

    bool isInView(QTreeWidgetItem* item)
    {
        return tree().viewport()->rect().contains(tree().visualItemRect(item));
    }

    void clickRow(QTreeWidgetItem* item)
    {
        QWidget& area = *tree().viewport();
        QVERIFY(isInView(item));
        tests::clickAt(area, area.mapTo(area.window(), tree().visualItemRect(item).center()));
    }

    // A turn of the wheel over the list.
    void scrollDown()
    {
        QWidget& area = *tree().viewport();
        const QPointF at(area.rect().center());
        QWheelEvent turn(at, area.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                         Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&area, &turn);
    }

    // By mouse, the question too; what comes of it is not waited for.
    void deleteCurrent()
    {
        tests::click(*child<QPushButton>(*m_browser, "deletePreset"));
        auto* question = child<QMessageBox>(*m_browser, "deletePresetQuestion");
        QVERIFY(QTest::qWaitForWindowExposed(question));
        tests::click(*child<QPushButton>(*question, "deletePresetYes"));
    }

    // Of all groups that are not hidden.
    QStringList names()
    {
        QStringList names;
        auto* tree = child<QTreeWidget>(*m_browser, "presetTree");
        for (int i = 0; i < tree->topLevelItemCount(); ++i) {
            for (int j = 0; j < tree->topLevelItem(i)->childCount(); ++j) {
                if (!tree->topLevelItem(i)->child(j)->isHidden())
                    names << tree->topLevelItem(i)->child(j)->text(0);
            }
        }
        return names;
    }

    void select(const char* name)
    {
        auto* tree = child<QTreeWidget>(*m_browser, "presetTree");
        const auto found =
            tree->findItems(QString::fromLatin1(name), Qt::MatchExactly | Qt::MatchRecursive);
        QVERIFY(!found.isEmpty());
        tree->setCurrentItem(found.back());
    }

private:
    tests::TestFolder m_folder;
    QPointer<PresetBrowser> m_browser;
};

}  // namespace

class TestPresetBrowser : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void listsOwnRecentAndShipped()
    {
        Fixture fixture;
        QCOMPARE(fixture.names(), (QStringList{QStringLiteral("Mine"), QStringLiteral("Alpha"),
                                               QStringLiteral("Alpha"), QStringLiteral("broken")}));
        fixture.select("Alpha");
        QVERIFY(child<QLabel>(fixture.browser(), "presetAbout")
                    ->text()
                    .startsWith(QStringLiteral(
                        "about Alpha\n\ndemo on cpu · 4 batch sizes · 5 repeats\n\n/")));
        QCoreApplication::processEvents();
        tests::screenshot(fixture.browser(), QStringLiteral("preset-browser"));
    }

    void searchLooksEverywhere()
    {
        Fixture fixture;
        auto* search = child<QLineEdit>(fixture.browser(), "presetSearch");
        search->setText(QStringLiteral("BATCH alpha"));
        QCOMPARE(fixture.names(), (QStringList{QStringLiteral("Alpha"), QStringLiteral("Alpha")}));
        search->setText(QStringLiteral("nothing like it"));
        QVERIFY(fixture.names().isEmpty());
        search->clear();
        QCOMPARE(fixture.names().size(), qsizetype{4});
    }

    void brokenOnesSayWhere()
    {
        Fixture fixture;
        fixture.select("broken");
        auto* problem = child<QLabel>(fixture.browser(), "presetProblem");
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QStringLiteral("$.axes.batch[1]")),
                 qPrintable(problem->text()));
        QVERIFY(!child<QPushButton>(fixture.browser(), "openPresetButton")->isEnabled());
        fixture.select("Mine");
        QVERIFY(!problem->isVisible());
    }

    void opensAndCloses()
    {
        Fixture fixture;
        const QSignalSpy chosen(&fixture.browser(), &PresetBrowser::presetChosen);
        fixture.select("Mine");
        child<QPushButton>(fixture.browser(), "openPresetButton")->click();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toString(),
                 QString::fromStdString((fixture.own() / "mine.json").string()));
        QTRY_VERIFY(fixture.closed());
    }

    void savesUnderAName()
    {
        Fixture fixture;
        auto* save = child<QPushButton>(fixture.browser(), "savePreset");
        auto* name = child<QLineEdit>(fixture.browser(), "presetName");
        QCOMPARE(name->text(), QStringLiteral("Draft"));
        QCOMPARE(save->text(), QStringLiteral("&Save"));
        child<QLineEdit>(fixture.browser(), "presetDescriptionEdit")
            ->setText(QStringLiteral("what for"));
        const QSignalSpy changed(&fixture.browser(), &PresetBrowser::ownPresetsChanged);
        save->click();
        QTRY_VERIFY(!fixture.browser().isBusy());
        QCOMPARE(changed.count(), 1);
        const auto preset = core::readPreset(fixture.own() / "draft.json");
        QVERIFY(preset.ok());
        QCOMPARE(preset.value().description, std::string("what for"));
        QVERIFY(fixture.names().contains(QStringLiteral("Draft")));
        QCOMPARE(save->text(), QStringLiteral("&Replace"));
        name->setText(QStringLiteral("  "));
        QVERIFY(!save->isEnabled());
    }

    void enterDoesWhatThePartIsFor()
    {
        Fixture fixture;
        const QSignalSpy chosen(&fixture.browser(), &PresetBrowser::presetChosen);
        fixture.select("Mine");
        QTest::keyClick(child<QLineEdit>(fixture.browser(), "presetName"), Qt::Key_Return);
        QTRY_VERIFY(std::filesystem::exists(fixture.own() / "draft.json"));
        QTRY_VERIFY(!fixture.browser().isBusy());
        QVERIFY(chosen.isEmpty());
        fixture.select("Mine");
        QTest::keyClick(child<QLineEdit>(fixture.browser(), "presetSearch"), Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
    }

    void deletesOwnOnesAlone()
    {
        Fixture fixture;
        auto* remove = child<QPushButton>(fixture.browser(), "deletePreset");
        fixture.select("Alpha");
        QVERIFY(!remove->isEnabled());
        fixture.select("Mine");
        remove->click();
        auto* yes = child<QPushButton>(fixture.browser(), "deletePresetYes");
        QVERIFY(yes != nullptr);
        yes->click();
        QTRY_VERIFY(!fixture.browser().isBusy());
        QVERIFY(!std::filesystem::exists(fixture.own() / "mine.json"));
        QVERIFY(!fixture.names().contains(QStringLiteral("Mine")));
    }

    void aNewListStaysWhereOneWas()
    {
        Fixture fixture(40);
        QVERIFY(QTest::qWaitForWindowExposed(&fixture.browser()));
        for (int i = 0; i < 5; ++i)
            fixture.scrollDown();
        const int scroll = fixture.tree().verticalScrollBar()->value();
        QVERIFY(scroll > 0);
        // The row below takes the place of a deleted one.
        constexpr int kPlace = 22;
        const QString below = fixture.row("Your presets", kPlace + 1)->text(0);
        fixture.clickRow(fixture.row("Your presets", kPlace));
        fixture.deleteCurrent();
        QTRY_VERIFY(!fixture.browser().isBusy());
        QCOMPARE(fixture.tree().topLevelItem(0)->childCount(), 40);
        QCOMPARE(fixture.tree().currentItem(), fixture.row("Your presets", kPlace));
        QCOMPARE(fixture.tree().currentItem()->text(0), below);
        QCOMPARE(fixture.tree().verticalScrollBar()->value(), scroll);
        // What is clicked while the files are read anew stays selected.
        fixture.deleteCurrent();
        const QString clicked = fixture.row("Your presets", kPlace - 3)->text(0);
        fixture.clickRow(fixture.row("Your presets", kPlace - 3));
        QTRY_VERIFY(!fixture.browser().isBusy());
        QCOMPARE(fixture.tree().topLevelItem(0)->childCount(), 39);
        QCOMPARE(fixture.tree().currentItem()->text(0), clicked);
        QCOMPARE(fixture.tree().verticalScrollBar()->value(), scroll);
    }

    // It stands in two groups; and groups stay folded.
    void aShippedPresetThatWasOpenedBeforeStaysSelected()
    {
        Fixture fixture;
        QVERIFY(QTest::qWaitForWindowExposed(&fixture.browser()));
        fixture.row("Recently opened", 0)->parent()->setExpanded(false);
        fixture.clickRow(fixture.row("Your presets", 0));
        fixture.deleteCurrent();
        fixture.clickRow(fixture.row("Shipped", 0));
        QTRY_VERIFY(!fixture.browser().isBusy());
        QVERIFY(!fixture.names().contains(QStringLiteral("Mine")));
        QCOMPARE(fixture.tree().currentItem(), fixture.row("Shipped", 0));
        QVERIFY(!fixture.row("Recently opened", 0)->parent()->isExpanded());
    }

    void aSavedPresetIsShown()
    {
        Fixture fixture(40);
        QVERIFY(QTest::qWaitForWindowExposed(&fixture.browser()));
        auto* name = child<QLineEdit>(fixture.browser(), "presetName");
        name->setText(QStringLiteral("Zebra"));
        tests::click(*child<QPushButton>(fixture.browser(), "savePreset"));
        QTRY_VERIFY(!fixture.browser().isBusy());
        QCOMPARE(fixture.tree().currentItem()->text(0), QStringLiteral("Zebra"));
        QVERIFY(fixture.isInView(fixture.tree().currentItem()));
    }

    void takesDroppedFilesIn()
    {
        Fixture fixture;
        tests::writeFile(fixture / "mail.json", text("From a mail"));
        QVERIFY(tests::drop(fixture.browser(), {fixture / "mail.json"}));
        QTRY_VERIFY(fixture.names().contains(QStringLiteral("From a mail")));
        QVERIFY(std::filesystem::exists(fixture.own() / "from_a_mail.json"));
        tests::writeFile(fixture / "bad.json", text("Bad", R"({"batch": "x"})"));
        QVERIFY(tests::drop(fixture.browser(), {fixture / "bad.json"}));
        auto* problem = child<QLabel>(fixture.browser(), "presetProblem");
        QTRY_VERIFY(problem->isVisible() &&
                    problem->text().contains(QStringLiteral("$.axes.batch")));
        QVERIFY(!std::filesystem::exists(fixture.own() / "bad.json"));
    }
};

const tests::GuiTest<TestPresetBrowser> registered(__FILE_NAME__);

}  // namespace qs::tst_preset_browser

#include "tst_preset_browser.moc"
