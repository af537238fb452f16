// What the journal asks of the disk, and what it does when the disk refuses. fsync and fdatasync of
// the whole test program are these: they count, and fail when told to.
#include "core/record/journal/journal.h"
#include "core/record/journal/journal_scanner.h"

#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace {

struct SyncCounts {
    int files = 0;
    int folders = 0;
    int failWith = 0;  // an errno, or 0
};

SyncCounts& syncCounts()
{
    static SyncCounts counts;
    return counts;
}

}  // namespace

extern "C" int fdatasync(int descriptor)
{
    ++syncCounts().files;
    if (syncCounts().failWith != 0) {
        errno = syncCounts().failWith;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

extern "C" int fsync(int descriptor)
{
    struct stat status {
    };
    if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
        ++syncCounts().folders;
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace qs::core {
namespace {

using ::testing::HasSubstr;
using tests::TestFolder;

// Files of this process end at `bytes` as long as it lives; a write beyond is cut short, as on a
// full disk.
class FileSizeLimit final
{
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        QS_ASSERT(::getrlimit(RLIMIT_FSIZE, &m_before) == 0);
        const rlimit limit{bytes, m_before.rlim_max};
        QS_ASSERT(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    }
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int) = nullptr;
};

TEST(JournalDisk, CreatingSyncsTheFolderAndEachRecordTheFile)
{
    const TestFolder folder;
    syncCounts() = {};
    Journal journal = Journal::open(folder / "j").value();
    EXPECT_EQ(syncCounts().files, 1);
    EXPECT_EQ(syncCounts().folders, 1);
    ASSERT_TRUE(journal.append({{"n", 1}}).ok());
    ASSERT_TRUE(journal.append({{"n", 2}}).ok());
    EXPECT_EQ(syncCounts().files, 3);
    EXPECT_EQ(syncCounts().folders, 1);
}

TEST(JournalDisk, CuttingATornTailIsSynced)
{
    const TestFolder folder;
    tests::writeFile(folder / "j", journalHeaderLine() + "12 ab");
    syncCounts() = {};
    ASSERT_TRUE(Journal::open(folder / "j").ok());
    EXPECT_EQ(syncCounts().files, 1);
}

TEST(JournalDisk, AFullDiskAtEveryByteLosesNothingBefore)
{
    const TestFolder folder;
    Journal journal = Journal::open(folder / "j").value();
    ASSERT_TRUE(journal.append({{"n", 1}}).ok());
    const std::string before = tests::readFile(folder / "j");
    // The second record has 7 + 12 bytes; the file may end before, within, but not behind it.
    for (std::size_t room = 0; room < 18; ++room) {
        Status status;
        {
            const FileSizeLimit limit(before.size() + room);
            status = journal.append({{"n", 2}});
        }
        ASSERT_FALSE(status.ok()) << room;
        EXPECT_EQ(status.error().code, ErrorCode::Io);
        EXPECT_THAT(status.error().message, HasSubstr((folder / "j").string())) << room;
        EXPECT_EQ(tests::readFile(folder / "j"), before) << room;
        EXPECT_EQ(journal.records(), 1U);
    }
    // Space again: the same journal goes on.
    ASSERT_TRUE(journal.append({{"n", 2}}).ok());
    EXPECT_EQ(readJournal(folder / "j").value().records.size(), 2U);
}

TEST(JournalDisk, AFullDiskWhileCreatingIsAnErrorAndTheNextOpeningStartsAgain)
{
    const TestFolder folder;
    {
        const FileSizeLimit limit(10);
        const auto opened = Journal::open(folder / "j");
        ASSERT_FALSE(opened.ok());
        EXPECT_THAT(opened.error().message, HasSubstr("only 10 of"));
    }
    EXPECT_EQ(tests::readFile(folder / "j"), "");
    EXPECT_TRUE(Journal::open(folder / "j").ok());
}

TEST(JournalDisk, AFailedSyncEndsTheJournalUntilItIsOpenedAgain)
{
    const TestFolder folder;
    {
        Journal journal = Journal::open(folder / "j").value();
        ASSERT_TRUE(journal.append({{"n", 1}}).ok());
        syncCounts().failWith = EIO;
        const Status status = journal.append({{"n", 2}});
        syncCounts().failWith = 0;
        EXPECT_THAT(status.error().message, HasSubstr("cannot sync " + (folder / "j").string()));
        EXPECT_THAT(journal.append({{"n", 3}}).error().message,
                    HasSubstr("open the journal again"));
        EXPECT_EQ(journal.records(), 1U);
    }
    Journal journal = Journal::open(folder / "j").value();
    EXPECT_EQ(journal.records(), 1U);
    EXPECT_TRUE(journal.append({{"n", 3}}).ok());
}

}  // namespace
}  // namespace qs::core
