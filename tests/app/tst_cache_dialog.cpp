#include "app/gui/cache_dialog.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>

#include <filesystem>
#include <fstream>

namespace qs::tst_cache_dialog {

using namespace tests;
using app::CacheDialog;
using app::MainWindow;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, std::size_t bytes)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file) << std::string(bytes, 'x');
}

// Two packages and a calibration, and no inputs.
struct Caches {
    TestFolder folder;

    Caches()
    {
        write(folder / "packages/a.pt2", 2048);
        write(folder / "packages/a.json", 20);
        write(folder / "calibration/b.safetensors", 7);
    }
};

QPushButton* clearOf(CacheDialog& dialog, const char* kind)
{
    return child<QPushButton>(dialog, (std::string("cacheClear_") + kind).c_str());
}

QString sizeOf(CacheDialog& dialog, const char* kind)
{
    return child<QLabel>(dialog, (std::string("cacheSize_") + kind).c_str())->text();
}

}  // namespace

class TestCacheDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }

    static void offersToClearWhatThereIs()
    {
        const Caches caches;
        CacheDialog dialog(caches.folder.path());
        dialog.show();
        QTRY_VERIFY(!dialog.isBusy());
        QVERIFY(clearOf(dialog, "packages")->isEnabled());
        QVERIFY(clearOf(dialog, "calibration")->isEnabled());
        QVERIFY(!clearOf(dialog, "inputs")->isEnabled());
        QVERIFY(sizeOf(dialog, "packages") != sizeOf(dialog, "calibration"));
        QVERIFY(sizeOf(dialog, "packages").contains(QStringLiteral("KiB")));
        screenshot(dialog, QStringLiteral("caches"));
    }

    static void aClickClearsOneKindAlone()
    {
        const Caches caches;
        CacheDialog dialog(caches.folder.path());
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QTRY_VERIFY(!dialog.isBusy());
        QPushButton* clear = clearOf(dialog, "packages");
        QTest::mouseClick(clear, Qt::LeftButton);
        QTRY_VERIFY(!dialog.isBusy() && !clear->isEnabled());
        QVERIFY(!fs::exists(caches.folder / "packages/a.pt2"));
        QVERIFY(!fs::exists(caches.folder / "packages/a.json"));
        QVERIFY(fs::exists(caches.folder / "calibration/b.safetensors"));
        QVERIFY(clearOf(dialog, "calibration")->isEnabled());
        QCOMPARE(sizeOf(dialog, "packages"), sizeOf(dialog, "inputs"));
    }

    static void withoutAFolderNothingCanBeCleared()
    {
        CacheDialog dialog({});
        dialog.show();
        QVERIFY(!dialog.isBusy());
        for (const char* kind : {"inputs", "calibration", "packages", "kernels"})
            QVERIFY(!clearOf(dialog, kind)->isEnabled());
        QVERIFY(!child<QLabel>(dialog, "cacheNote")->text().isEmpty());
    }

    static void theMenuOpensIt()
    {
        const Caches caches;
        const WindowFixture fixture;
        app::WindowOptions options = fixture.withoutEngine();
        options.paths.workerCache = caches.folder.path();
        MainWindow window(options);
        window.show();
        child<QAction>(window, "actionCaches")->trigger();
        auto* dialog = child<CacheDialog>(window, "cacheDialog");
        QTRY_VERIFY(dialog->isVisible() && !dialog->isBusy());
        QVERIFY(clearOf(*dialog, "packages")->isEnabled());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(window.findChild<CacheDialog*>() == nullptr);
    }
};

const tests::GuiTest<TestCacheDialog> registered(__FILE_NAME__);

}  // namespace qs::tst_cache_dialog

#include "tst_cache_dialog.moc"
