#include "core/protocol/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

namespace qs::core {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr auto kLong = 10'000ms;

std::pair<Channel, Channel> pairOfEnds()
{
    return Channel::createPair().value();
}

void writeRaw(const Channel& channel, std::string_view bytes)
{
    ASSERT_EQ(::send(channel.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
}

TEST(Channel, MessagesPassBothWays)
{
    auto [parent, worker] = pairOfEnds();
    ASSERT_TRUE(worker.send(Hello{kProtocolVersion, "0.1", 1, "", ""}, kLong).ok());
    ASSERT_TRUE(parent.send(RunCell{1, {{"batch", 4}}}, kLong).ok());
    ASSERT_TRUE(parent.send(Shutdown{}, kLong).ok());
    EXPECT_EQ(std::get<Hello>(*parent.receive(kLong).value()).workerVersion, "0.1");
    EXPECT_EQ(std::get<RunCell>(*worker.receive(kLong).value()).cell["batch"], 4);
    EXPECT_TRUE(std::holds_alternative<Shutdown>(*worker.receive(kLong).value()));
}

TEST(Channel, EndsAreClosedOnExec)
{
    const auto [parent, worker] = pairOfEnds();
    EXPECT_NE(::fcntl(parent.descriptor(), F_GETFD) & FD_CLOEXEC, 0);
    EXPECT_NE(::fcntl(worker.descriptor(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(Channel, APayloadLargerThanTheSocketPassesWhileTheOtherSideReads)
{
    auto [parent, worker] = pairOfEnds();
    const std::string payload(kMaximumPayloadBytes, 'x');
    std::thread sender([&worker = worker, &payload] {
        EXPECT_TRUE(worker.sendPayload(payload, kLong).ok());
        worker.close();
    });
    EXPECT_TRUE(parent.receivePayload(kLong).value() == payload);
    sender.join();
    EXPECT_FALSE(parent.receivePayload(kLong).value().has_value());
}

TEST(Channel, AWaitThatEndsLeavesTheConnectionUsable)
{
    auto [parent, worker] = pairOfEnds();
    EXPECT_EQ(parent.receive(0ms).error().code, ErrorCode::Timeout);
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(parent.receive(20ms).error().code, ErrorCode::Timeout);
    EXPECT_GE(std::chrono::steady_clock::now() - before, 20ms);
    ASSERT_TRUE(worker.send(PhaseChanged{Phase::Load}, kLong).ok());
    EXPECT_TRUE(parent.receive(0ms).value().has_value());
}

TEST(Channel, AReaderThatSleepsMakesTheSenderGiveUp)
{
    auto [parent, worker] = pairOfEnds();
    const Status status = worker.sendPayload(std::string(kMaximumPayloadBytes, 'x'), 20ms);
    EXPECT_EQ(status.error().code, ErrorCode::Timeout);
    // Half a frame is under way: nothing may follow it.
    EXPECT_EQ(worker.sendPayload("x", 20ms).error().code, ErrorCode::Io);
}

TEST(Channel, AFrameThatHasNotBegunMayBeTriedAgain)
{
    auto [parent, worker] = pairOfEnds();
    const int small = 4096;
    ASSERT_EQ(::setsockopt(worker.descriptor(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
    Status status;
    int sent = 0;
    while ((status = worker.sendPayload("{}", 0ms)).ok())
        ++sent;
    ASSERT_EQ(status.error().code, ErrorCode::Timeout);
    for (int i = 0; i < sent; ++i)
        ASSERT_TRUE(parent.receivePayload(kLong).value().has_value());
    EXPECT_TRUE(worker.sendPayload("again", kLong).ok());
    EXPECT_EQ(parent.receivePayload(kLong).value(), "again");
}

TEST(Channel, ClosingInGoodOrderIsNoError)
{
    auto [parent, worker] = pairOfEnds();
    ASSERT_TRUE(worker.send(Describe{}, kLong).ok());
    worker.close();
    EXPECT_EQ(worker.descriptor(), -1);
    EXPECT_TRUE(parent.receive(kLong).value().has_value());
    EXPECT_FALSE(parent.receive(kLong).value().has_value());
    EXPECT_FALSE(parent.receive(kLong).value().has_value());
    EXPECT_THAT(parent.send(Describe{}, kLong).error().message,
                HasSubstr("connection closed by the other process"));
    EXPECT_FALSE(worker.receive(kLong).ok());
    EXPECT_FALSE(worker.send(Describe{}, kLong).ok());
}

TEST(Channel, APeerThatDiesInTheMiddleOfAFrameIsAFormatError)
{
    auto [parent, worker] = pairOfEnds();
    std::thread peer([&worker = worker] {
        writeRaw(worker,
                 encodeFrame("whole").value() + encodeFrame("cut off").value().substr(0, 15));
        worker.close();
    });
    EXPECT_EQ(parent.receivePayload(kLong).value(), "whole");
    const auto result = parent.receivePayload(kLong);
    peer.join();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::Format);
    EXPECT_THAT(result.error().message, HasSubstr("ended inside a message, after 15 bytes"));
}

TEST(Channel, APeerThatDiesWithUnreadMessagesEndsTheConnection)
{
    auto [parent, worker] = pairOfEnds();
    ASSERT_TRUE(worker.send(PhaseChanged{Phase::Load}, kLong).ok());
    ASSERT_TRUE(parent.send(Describe{}, kLong).ok());
    worker.close();
    EXPECT_TRUE(parent.receive(kLong).value().has_value());
    EXPECT_FALSE(parent.receive(kLong).value().has_value());
}

TEST(Channel, AKilledProcessIsNoticedBySenderAndReceiver)
{
    auto [parent, worker] = pairOfEnds();
    const pid_t child = ::fork();
    if (child == 0) {
        parent.close();
        static_cast<void>(worker.send(Hello{kProtocolVersion, "", 1, "", ""}, kLong).ok());
        ::pause();
        ::_exit(0);
    }
    worker.close();
    EXPECT_TRUE(parent.receive(kLong).value().has_value());
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    EXPECT_FALSE(parent.receive(kLong).value().has_value());
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_EQ(parent.send(Describe{}, kLong).error().code, ErrorCode::Io);
}

TEST(Channel, DamageIsReportedAfterWhatCameBeforeIt)
{
    auto [parent, worker] = pairOfEnds();
    writeRaw(worker, encodeFrame("good").value() + "garbage");
    EXPECT_EQ(parent.receivePayload(kLong).value(), "good");
    EXPECT_EQ(parent.receivePayload(kLong).error().code, ErrorCode::Format);
    EXPECT_EQ(parent.receivePayload(kLong).error().code, ErrorCode::Format);
}

TEST(Channel, ABadMessageDoesNotEndTheConnection)
{
    auto [parent, worker] = pairOfEnds();
    ASSERT_TRUE(worker.sendPayload("{\"type\":\"unheard\"}", kLong).ok());
    ASSERT_TRUE(worker.send(Describe{}, kLong).ok());
    EXPECT_THAT(parent.receive(kLong).error().message, HasSubstr("unknown type"));
    EXPECT_TRUE(parent.receive(kLong).value().has_value());
}

TEST(Channel, SignalsDoNotShortenAWait)
{
    struct sigaction action {
    };
    struct sigaction before {
    };
    action.sa_handler = [](int) {};
    ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
    auto [parent, worker] = pairOfEnds();
    std::thread receiver(
        [&parent = parent] { EXPECT_TRUE(parent.receive(kLong).value().has_value()); });
    for (int i = 0; i < 100; ++i)
        ::pthread_kill(receiver.native_handle(), SIGUSR1);
    EXPECT_TRUE(worker.send(Describe{}, kLong).ok());
    receiver.join();
    ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

}  // namespace
}  // namespace qs::core
