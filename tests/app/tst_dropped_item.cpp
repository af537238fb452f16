#include "app/gui/dropped_item.h"
#include "app/gui/new_run_folder.h"
#include "tests/support/test_folder.h"

#include <QRegularExpression>
#include <QTest>

using qs::app::classifyItem;
using qs::app::DroppedItem;
using qs::app::newRunFolder;

class TestDroppedItem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void files_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("expected");
        QTest::newRow("preset") << QStringLiteral("sweep.json") << int(DroppedItem::Preset);
        QTest::newRow("weights") << QStringLiteral("encoder.safetensors")
                                 << int(DroppedItem::Model);
        QTest::newRow("png") << QStringLiteral("a.PNG") << int(DroppedItem::Pictures);
        QTest::newRow("jpeg") << QStringLiteral("a.jpeg") << int(DroppedItem::Pictures);
        QTest::newRow("other") << QStringLiteral("a.txt") << int(DroppedItem::Unknown);
        QTest::newRow("none") << QStringLiteral("name") << int(DroppedItem::Unknown);
    }
    void files()
    {
        QFETCH(QString, name);
        QFETCH(int, expected);
        const auto path = m_folder / name.toStdString();
        qs::tests::writeFile(path, "");
        QCOMPARE(int(classifyItem(path)), expected);
    }

    void folders()
    {
        QCOMPARE(classifyItem(make("empty", {})), DroppedItem::Unknown);
        QCOMPARE(classifyItem(make("run", {"journal.jsonl", "plan.json"})), DroppedItem::RunFolder);
        QCOMPARE(classifyItem(make("photos", {"a.jpg", "notes.txt"})), DroppedItem::Pictures);
        QCOMPARE(classifyItem(make("model", {"card.png", "decoder.safetensors"})),
                 DroppedItem::Model);
        QCOMPARE(classifyItem(make("presets", {"a.json"})), DroppedItem::Unknown);
    }

    void missing() { QCOMPARE(classifyItem(m_folder / "nowhere.json"), DroppedItem::Unknown); }

    void newFolderHasAReadableName()
    {
        const auto folder = newRunFolder(m_folder / "runs", QStringLiteral("Demo: on the CPU!"));
        QVERIFY(folder.ok());
        static const QRegularExpression pattern(QStringLiteral("^\\d{8}-\\d{6}-demo-on-the-cpu$"));
        QVERIFY(
            pattern.match(QString::fromStdString(folder.value().filename().string())).hasMatch());
        QVERIFY(std::filesystem::is_directory(m_folder / "runs"));
        QVERIFY(!std::filesystem::exists(folder.value()));
    }

    void newFolderNeedsAPlace()
    {
        qs::tests::writeFile(m_folder / "file", "");
        const auto folder = newRunFolder((m_folder / "file") / "runs", QStringLiteral("x"));
        QVERIFY(!folder.ok());
        QVERIFY(folder.error().message.find("cannot make the folder") != std::string::npos);
    }

    void newFolderWithoutAName()
    {
        const auto folder = newRunFolder(m_folder / "runs", QStringLiteral("…"));
        QVERIFY(folder.ok());
        QVERIFY(folder.value().filename().string().ends_with("-run"));
    }

private:
    std::filesystem::path make(const std::string& name, const std::vector<std::string>& files) const
    {
        const auto folder = m_folder / name;
        std::filesystem::create_directories(folder);
        for (const std::string& file : files)
            qs::tests::writeFile(folder / file, "");
        return folder;
    }

    qs::tests::TestFolder m_folder;
};

QTEST_GUILESS_MAIN(TestDroppedItem)
#include "tst_dropped_item.moc"
