#include "core/base/sandbox.h"

#include "core/base/file_descriptor.h"
#include "core/base/files.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qs::core {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

// Truncation came with the third version of Landlock, and moving files with the second; headers may
// be older than the kernel.
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14U;
constexpr std::uint64_t kMove = std::uint64_t{1} << 13U;

std::uint64_t writingRights(long version)
{
    std::uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                           LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                           LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                           LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                           LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    if (version >= 2)
        rights |= kMove;
    if (version >= 3)
        rights |= kTruncate;
    return rights;
}

// 0 if the kernel has none.
long landlockVersion()
{
    const long version =
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? version : 0;
}

Status allow(int ruleset, const std::filesystem::path& folder, std::uint64_t rights)
{
    const FileDescriptor opened(::open(folder.c_str(), O_PATH | O_CLOEXEC));
    if (opened.get() < 0)
        return ioError("open", folder, errno);
    landlock_path_beneath_attr rule{};
    rule.allowed_access = rights;
    rule.parent_fd = opened.get();
    if (::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        return ioError("allow writing to", folder, errno);
    return {};
}

Status shutFiles(long version, const std::filesystem::path& writable)
{
    const std::uint64_t rights = writingRights(version);
    landlock_ruleset_attr attributes{};
    attributes.handled_access_fs = rights;
    const FileDescriptor ruleset(static_cast<int>(
        ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
    if (ruleset.get() < 0)
        return ioError("shut off", writable, errno);
    QS_RETURN_IF_ERROR(allow(ruleset.get(), writable, rights));
    // Devices are there to be written to; none can be made.
    const std::uint64_t existing =
        LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= 3 ? kTruncate : std::uint64_t{0});
    QS_RETURN_IF_ERROR(allow(ruleset.get(), "/dev", existing));
    // Of its own entries in /proc, which not every system has: the peak of memory, counted anew by
    // writing there, and the names of threads, without which the CUDA driver does not start.
    for (const char* own : {"/proc/self/clear_refs", "/proc/self/task"})
        static_cast<void>(allow(ruleset.get(), own, existing).ok());
    if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        return ioError("shut off", writable, errno);
    return {};
}

constexpr sock_filter statement(std::uint16_t code, std::uint32_t value)
{
    return {code, 0, 0, value};
}

constexpr sock_filter jumpIf(std::uint32_t value, std::uint8_t yes, std::uint8_t no)
{
    return {BPF_JMP | BPF_JEQ | BPF_K, yes, no, value};
}

// Other programs, other processes, what changes the machine, and ways around this filter.
constexpr std::array kRefused{SYS_execve,
                              SYS_execveat,
                              SYS_ptrace,
                              SYS_process_vm_readv,
                              SYS_process_vm_writev,
                              SYS_kill,
                              SYS_tkill,
                              SYS_rt_sigqueueinfo,
                              SYS_pidfd_send_signal,
                              SYS_io_uring_setup,
                              SYS_bpf,
                              SYS_mount,
                              SYS_umount2,
                              SYS_unshare,
                              SYS_setns,
                              SYS_pivot_root,
                              SYS_chroot,
                              SYS_keyctl,
                              SYS_add_key,
                              SYS_request_key,
                              SYS_init_module,
                              SYS_finit_module,
                              SYS_reboot,
                              SYS_perf_event_open,
                              SYS_userfaultfd};

std::vector<sock_filter> networkFilter()
{
    constexpr std::uint32_t kRefuse =
        SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(EACCES) & SECCOMP_RET_DATA);
    constexpr auto kNumber = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
    constexpr auto kMachine = static_cast<std::uint32_t>(offsetof(seccomp_data, arch));
    constexpr auto kFirst = static_cast<std::uint32_t>(offsetof(seccomp_data, args));
    const auto load = [](std::uint32_t offset) {
        return statement(BPF_LD | BPF_W | BPF_ABS, offset);
    };
    std::vector<sock_filter> filter{load(kMachine), jumpIf(kArchitecture, 1, 0),
                                    statement(BPF_RET | BPF_K, kRefuse), load(kNumber)};
#if defined(__x86_64__)
    // The numbers of x32, a second set for the same calls.
    constexpr std::uint32_t kSecondSet = 0x40000000;
    filter.push_back({BPF_JMP | BPF_JGE | BPF_K, 0, 1, kSecondSet});
    filter.push_back(statement(BPF_RET | BPF_K, kRefuse));
#endif
    for (const long call : kRefused) {
        filter.push_back(jumpIf(static_cast<std::uint32_t>(call), 0, 1));
        filter.push_back(statement(BPF_RET | BPF_K, kRefuse));
    }
    // Signals within this process, as abort() sends them.
    filter.push_back(jumpIf(SYS_tgkill, 0, 4));
    filter.push_back(load(kFirst));
    filter.push_back(jumpIf(static_cast<std::uint32_t>(::getpid()), 0, 1));
    filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    filter.push_back(statement(BPF_RET | BPF_K, kRefuse));
    // Sockets that do not leave the machine.
    filter.push_back(jumpIf(SYS_socket, 0, 4));
    filter.push_back(load(kFirst));
    filter.push_back(jumpIf(AF_UNIX, 0, 1));
    filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    filter.push_back(statement(BPF_RET | BPF_K, kRefuse));
    filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    return filter;
}

bool hasFilters()
{
    std::uint32_t action = SECCOMP_RET_ERRNO;
    return kArchitecture != 0 && ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

Status shutNetwork()
{
    std::vector<sock_filter> filter = networkFilter();
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        return ioError("shut off the network of", "this process", errno);
    return {};
}

}  // namespace

SandboxLimits sandboxLimits()
{
    return {.files = landlockVersion() > 0, .network = hasFilters()};
}

Result<SandboxLimits> enterSandbox(const std::filesystem::path& writable)
{
    const SandboxLimits limits = sandboxLimits();
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return ioError("shut off", writable, errno);
    if (limits.files)
        QS_RETURN_IF_ERROR(shutFiles(landlockVersion(), writable));
    if (limits.network)
        QS_RETURN_IF_ERROR(shutNetwork());
    return limits;
}

}  // namespace qs::core
