#include "widgets/plan/picture_strip.h"

#include "core/image/picture_file.h"
#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"
#include "tests/support/test_picture.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/plan_panel.h"

#include <QApplication>
#include <QLayout>

#include <map>

namespace qs::tst_picture_strip {

using namespace widgets;
using tests::child;
using State = PictureStrip::State;

namespace {

constexpr int kReadMs = 20'000;

void writeImages(const std::filesystem::path& folder, std::initializer_list<const char*> names)
{
    std::uint32_t seed = 1;
    for (const char* name : names)
        QVERIFY(core::writePng(folder / name, tests::testPicture(seed++, 48)).ok());
}

core::PictureSettings from(const std::filesystem::path& source)
{
    core::PictureSettings pictures;
    pictures.source = source.string();
    return pictures;
}

// A strip that is seen, wide enough for six thumbnails.
struct Seen {
    PictureStrip strip;

    explicit Seen(const core::PictureSettings& pictures)
    {
        strip.resize(260, strip.sizeHint().height());
        strip.setPictures(pictures);
        strip.show();
    }
};

// Whether something is painted in the place of a thumbnail.
bool isPainted(PictureStrip& strip, int number)
{
    const QImage image = strip.grab(QRect(number * 44, 0, 40, 40)).toImage();
    for (int at = 1; at < image.width(); ++at) {
        if (image.pixel(at, image.height() / 2) != image.pixel(0, image.height() / 2))
            return true;
    }
    return false;
}

std::map<const QWidget*, QRect> placesIn(const QWidget& parent)
{
    std::map<const QWidget*, QRect> places;
    for (const QWidget* widget : parent.findChildren<QWidget*>()) {
        if (widget->isVisible() && !widget->isWindow())
            places[widget] = {widget->mapTo(&parent, QPoint()), widget->size()};
    }
    return places;
}

}  // namespace

class TestPictureStrip : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    static void showsTheImagesOfAFolder()
    {
        const tests::TestFolder folder;
        writeImages(folder.path(), {"a.png", "b.png", "c.png"});
        Seen seen(from(folder.path()));
        // Never here and now: a folder may lie on a slow disk.
        QCOMPARE(seen.strip.state(), State::Reading);
        QVERIFY(seen.strip.names().isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(seen.strip.state(), State::Shown, kReadMs);
        QCOMPARE(seen.strip.names(), (QStringList{QStringLiteral("a.png"), QStringLiteral("b.png"),
                                                  QStringLiteral("c.png")}));
        QVERIFY(seen.strip.leftOut().isEmpty());
        for (int number = 0; number < 3; ++number)
            QVERIFY(isPainted(seen.strip, number));
        QVERIFY(!isPainted(seen.strip, 3));
    }

    static void showsOneFile()
    {
        const tests::TestFolder folder;
        writeImages(folder.path(), {"a.png", "b.png"});
        Seen seen(from(folder / "b.png"));
        QTRY_COMPARE_WITH_TIMEOUT(seen.strip.state(), State::Shown, kReadMs);
        QCOMPARE(seen.strip.names(), QStringList{QStringLiteral("b.png")});
    }

    // What the run would leave out, and only that: the others are there.
    static void namesWhatCannotBeRead()
    {
        const tests::TestFolder folder;
        writeImages(folder.path(), {"a.png", "c.png"});
        const std::string whole = tests::readFile(folder / "a.png");
        tests::writeFile(folder / "b.png", whole.substr(0, whole.size() / 2));
        tests::writeFile(folder / "notes.txt", "no image");
        Seen seen(from(folder.path()));
        QTRY_COMPARE_WITH_TIMEOUT(seen.strip.state(), State::Shown, kReadMs);
        QCOMPARE(seen.strip.names(),
                 (QStringList{QStringLiteral("a.png"), QStringLiteral("c.png")}));
        QCOMPARE(seen.strip.leftOut(),
                 (QStringList{QStringLiteral("notes.txt"), QStringLiteral("b.png")}));
        for (const char* name : {"notes.txt", "b.png"})
            QVERIFY(seen.strip.accessibleDescription().contains(QLatin1String(name)));
        tests::screenshot(seen.strip, QStringLiteral("picture_strip"));
    }

    static void saysThatThereIsNone()
    {
        const tests::TestFolder folder;
        Seen empty(from(folder.path()));
        QTRY_COMPARE_WITH_TIMEOUT(empty.strip.state(), State::NoneUsable, kReadMs);
        QVERIFY(!empty.strip.accessibleDescription().isEmpty());
        QVERIFY(empty.strip.leftOut().isEmpty());
        Seen nowhere(from(folder / "nowhere"));
        QTRY_COMPARE_WITH_TIMEOUT(nowhere.strip.state(), State::NoneUsable, kReadMs);
        QCOMPARE(nowhere.strip.leftOut(), QStringList{QStringLiteral("nowhere")});
        tests::writeFile(folder / "notes.txt", "no image");
        Seen texts(from(folder.path()));
        QTRY_COMPARE_WITH_TIMEOUT(texts.strip.state(), State::NoneUsable, kReadMs);
        QCOMPARE(texts.strip.leftOut(), QStringList{QStringLiteral("notes.txt")});
    }

    // Another number shows more or fewer of what was read; another crop reads again.
    static void followsTheSettings()
    {
        const tests::TestFolder folder;
        writeImages(folder.path(), {"a.png", "b.png", "c.png"});
        core::PictureSettings pictures = from(folder.path());
        pictures.count = 2;
        Seen seen(pictures);
        QTRY_COMPARE_WITH_TIMEOUT(seen.strip.state(), State::Shown, kReadMs);
        QCOMPARE(seen.strip.names().size(), 2);
        QVERIFY(!isPainted(seen.strip, 2));
        pictures.count = 16;
        seen.strip.setPictures(pictures);
        QCOMPARE(seen.strip.state(), State::Shown);
        QCOMPARE(seen.strip.names().size(), 3);
        pictures.crop = core::PictureCrop::Pad;
        seen.strip.setPictures(pictures);
        QCOMPARE(seen.strip.state(), State::Reading);
        QTRY_COMPARE_WITH_TIMEOUT(seen.strip.state(), State::Shown, kReadMs);
        writeImages(folder.path(), {"d.png"});
        seen.strip.forget();
        seen.strip.setPictures(pictures);
        QTRY_COMPARE_WITH_TIMEOUT(seen.strip.state(), State::Shown, kReadMs);
        QCOMPARE(seen.strip.names().size(), 4);
        seen.strip.setPictures({});
        QVERIFY(seen.strip.names().isEmpty());
        QVERIFY(!seen.strip.isBusy());
    }

    // A closed plan touches no disk, and one that goes away waits for nothing.
    static void readsOnlyWhatIsSeen()
    {
        const tests::TestFolder folder;
        writeImages(folder.path(), {"a.png", "b.png"});
        PictureStrip hidden;
        hidden.setPictures(from(folder.path()));
        QCOMPARE(hidden.state(), State::Waiting);
        hidden.show();
        QCOMPARE(hidden.state(), State::Reading);
    }

    static void moreThanFitAreCounted()
    {
        const tests::TestFolder folder;
        writeImages(folder.path(), {"1.png", "2.png", "3.png", "4.png", "5.png", "6.png", "7.png"});
        Seen seen(from(folder.path()));
        QTRY_COMPARE_WITH_TIMEOUT(seen.strip.state(), State::Shown, kReadMs);
        QCOMPARE(seen.strip.names().size(), 7);
        // Six places, of which the last says how many have none.
        const QImage last = seen.strip.grab(QRect(5 * 44, 0, 40, 40)).toImage();
        QCOMPARE(last.pixelColor(1, 1), seen.strip.palette().color(QPalette::Window));
        QVERIFY(isPainted(seen.strip, 4));
    }

    // Chosen in the dialog, in the plan: the room is there before the images are.
    static void nothingMovesWhenTheyCome()
    {
        const tests::TestFolder folder;
        writeImages(folder.path(), {"a.png", "b.png", "c.png"});
        tests::writeFile(folder / "broken.png", "broken");
        PlanPanel panel({});
        panel.resize(460, 900);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* strip = child<PictureStrip>(panel, "pictureStrip");
        QVERIFY(!strip->isVisible());  // shipped images need no look
        panel.setPictureSource(QString::fromStdString(folder.path().string()));
        QCoreApplication::sendPostedEvents();
        QVERIFY(strip->isVisible());
        QVERIFY(!panel.isSettled());
        panel.layout()->activate();
        const auto before = placesIn(*child<QWidget>(panel, "planScroll"));
        QTRY_COMPARE_WITH_TIMEOUT(strip->state(), State::Shown, kReadMs);
        QCOMPARE(strip->names().size(), 3);
        QCOMPARE(strip->leftOut(), QStringList{QStringLiteral("broken.png")});
        QCOMPARE(placesIn(*child<QWidget>(panel, "planScroll")), before);
        tests::screenshot(panel, QStringLiteral("plan_images"));
    }
};

const tests::GuiTest<TestPictureStrip> registered(__FILE_NAME__);

}  // namespace qs::tst_picture_strip

#include "tst_picture_strip.moc"
