#include "app/gui/help/help_window.h"
#include "core/run/program_paths.h"
#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/screens.h"

#include <QApplication>
#include <QImage>
#include <QListWidget>
#include <QRegularExpression>
#include <QTextBrowser>

#include <set>

namespace qs::tst_help {

using namespace app;

namespace {

std::filesystem::path helpFolder()
{
    return core::locatePrograms().resources / "help";
}

// One page with one picture, 900 pixels wide, blue for light themes and red for dark ones.
void writePictured(const std::filesystem::path& folder)
{
    tests::writeFile(folder / "01_start.md", "# Start\n\n![A picture](wide.png)\n");
    const auto save = [&](const char* name, const QColor& colour) {
        QImage image(900, 90, QImage::Format_RGB32);
        image.fill(colour);
        image.save(QString::fromStdString((folder / name).string()));
    };
    save("wide.png", Qt::blue);
    save("wide-dark.png", Qt::red);
}

QImage pictureOf(QTextBrowser& text)
{
    return text.document()
        ->resource(QTextDocument::ImageResource, QUrl(QStringLiteral("wide.png")))
        .value<QImage>();
}

}  // namespace

class TestHelp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QApplication::setPalette(QPalette()); }

    void helpHasAPageForEveryView();
    void helpWithoutPagesSaysSo();
    void picturesOfPagesAreThereAndSmall();
    void picturesFollowThemeAndWidth();
    void missingPictureLeavesItsText();
};

void TestHelp::helpHasAPageForEveryView()
{
    HelpWindow help(core::locatePrograms().resources / "help");
    auto* list = help.findChild<QListWidget*>(QStringLiteral("helpList"));
    auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    for (const char* page : {"start", "sweep", "running", "curves", "table", "compare", "answer",
                             "runs", "exports", "measuring", "models", "checkpoints"}) {
        help.showPage(QString::fromLatin1(page));
        QVERIFY2(help.currentPage().endsWith(QString::fromLatin1(page)), page);
        QVERIFY2(text->toPlainText().size() > 200, page);
        QVERIFY2(!list->currentItem()->text().isEmpty(), page);
        // Links lead to pages that exist.
        static const QRegularExpression kLink(QStringLiteral("\\]\\(([a-z_]+)\\.md\\)"));
        const QString source = QString::fromStdString(
            tests::readFile(core::locatePrograms().resources / "help" /
                            (help.currentPage() + QStringLiteral(".md")).toStdString()));
        auto links = kLink.globalMatch(source);
        while (links.hasNext()) {
            const QString target = links.next().captured(1);
            help.showPage(target);
            QVERIFY2(help.currentPage().endsWith(target), qPrintable(target));
        }
    }
    QWidget view;
    QWidget inner(&view);
    QCOMPARE(HelpWindow::pageOf(&inner), QString());
    HelpWindow::setPageOf(view, QStringLiteral("curves"));
    QCOMPARE(HelpWindow::pageOf(&inner), QStringLiteral("curves"));
    help.showPage(QStringLiteral("compare"));
    help.show();
    tests::screenshot(help, QStringLiteral("help"));
}

void TestHelp::helpWithoutPagesSaysSo()
{
    const tests::TestFolder empty;
    HelpWindow help(empty.path());
    QVERIFY(help.findChild<QTextBrowser*>(QStringLiteral("helpText"))
                ->toPlainText()
                .contains(QStringLiteral("not found")));
    help.showPage(QStringLiteral("curves"));
    QCOMPARE(help.currentPage(), QString());
}

// The repository stays small, and no page shows an empty frame.
void TestHelp::picturesOfPagesAreThereAndSmall()
{
    static const QRegularExpression kPicture(QStringLiteral("!\\[[^\\]]+\\]\\(([^)]+)\\.png\\)"));
    constexpr std::uintmax_t kMostBytes = 100 * 1024;
    constexpr std::uintmax_t kMostTogether = 700 * 1024;
    std::set<std::filesystem::path> named;
    std::uintmax_t together = 0;
    for (const auto& page : std::filesystem::directory_iterator(helpFolder())) {
        if (page.path().extension() != ".md")
            continue;
        auto pictures = kPicture.globalMatch(QString::fromStdString(tests::readFile(page.path())));
        while (pictures.hasNext()) {
            const std::string name = pictures.next().captured(1).toStdString();
            for (const char* ending : {".png", "-dark.png"}) {
                const auto file = helpFolder() / (name + ending);
                const QImage image(QString::fromStdString(file.string()));
                QVERIFY2(!image.isNull(), file.c_str());
                QVERIFY2(image.depth() <= 8, file.c_str());
                QVERIFY2(std::filesystem::file_size(file) <= kMostBytes, file.c_str());
                if (named.insert(file).second)
                    together += std::filesystem::file_size(file);
            }
        }
    }
    QVERIFY(named.size() >= 14);
    QVERIFY2(together <= kMostTogether, qPrintable(QString::number(together)));
    for (const auto& file : std::filesystem::directory_iterator(helpFolder() / "pictures"))
        QVERIFY2(named.contains(file.path()), file.path().c_str());
}

void TestHelp::picturesFollowThemeAndWidth()
{
    const tests::TestFolder folder;
    writePictured(folder.path());
    QApplication::setPalette(tests::lightPalette());
    HelpWindow help(folder.path());
    help.resize(700, 500);
    help.show();
    auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    const auto width = [&] {
        const QImage image = pictureOf(*text);
        return image.width() / image.devicePixelRatio();
    };
    QTRY_VERIFY(width() > 100 && width() <= text->viewport()->width());
    QCOMPARE(pictureOf(*text).pixelColor(5, 5), QColor(Qt::blue));
    // As wide as it is made, not wider.
    help.resize(1600, 500);
    QTRY_COMPARE(width(), 900.0);
    QApplication::setPalette(tests::darkPalette());
    QTRY_COMPARE(pictureOf(*text).pixelColor(5, 5), QColor(Qt::red));
}

void TestHelp::missingPictureLeavesItsText()
{
    const tests::TestFolder folder;
    tests::writeFile(folder / "01_start.md", "# Start\n\n![Gone](nowhere.png)\n\nStill here.\n");
    HelpWindow help(folder.path());
    help.show();
    auto* text = help.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    QVERIFY(text->toPlainText().contains(QStringLiteral("Still here.")));
}

const tests::GuiTest<TestHelp> registered(__FILE_NAME__);

}  // namespace qs::tst_help

#include "tst_help.moc"
