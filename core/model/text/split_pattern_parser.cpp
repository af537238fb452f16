// Note [Compiled patterns]
// Steps are laid out as they are read: a repeated part is copied as often as it must be there, then
// once in a loop, or once behind each "perhaps". What may be repeated is bounded, so that the
// copies of copies are.
#include "core/model/text/split_pattern.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace qs::core {

namespace {

constexpr std::size_t kMostPatternBytes = 8192;
constexpr std::size_t kMostSteps = 20'000;
constexpr int kDeepest = 24;
constexpr std::size_t kMostRepeats = 256;
constexpr std::size_t kForEver = kMostRepeats + 1;

// How often, and how hard it is clung to.
struct Repeat {
    std::size_t least = 1;
    std::size_t most = 1;
    bool lazy = false;
    bool possessive = false;
};

}  // namespace

class SplitPatternParser final
{
public:
    explicit SplitPatternParser(std::string_view pattern) : m_written(pattern), m_text(pattern) {}

    Result<SplitPattern> parse()
    {
        Steps steps = alternatives(0);
        if (m_text.problem().empty() && m_text.more())
            m_text.fail("an unpaired )");
        if (!m_text.problem().empty())
            return Error{ErrorCode::Unsupported, "the pattern \"" + cleanLine(excerpt(m_written)) +
                                                     "\" has " + m_text.problem()};
        m_pattern.m_steps = std::move(steps);
        m_pattern.m_steps.push_back({});
        return std::move(m_pattern);
    }

private:
    using Op = SplitPattern::Op;
    using Step = SplitPattern::Step;
    using Steps = std::vector<Step>;

    // Targets of steps are relative to where they stand until a whole is made of them.
    void append(Steps& steps, const Steps& part)
    {
        const std::size_t shift = steps.size();
        if (shift + part.size() > kMostSteps)
            return m_text.fail("more than can be compiled");
        for (Step step : part) {
            if (step.op != Op::One && step.op != Op::Done)
                step.a += shift;
            step.b += shift;
            steps.push_back(step);
        }
    }
    // The part behind one step.
    Steps behind(Step first, const Steps& part)
    {
        Steps steps{first};
        append(steps, part);
        return steps;
    }

    Steps alternatives(int depth)
    {
        if (depth > kDeepest) {
            m_text.fail("groups nested too deep");
            return {};
        }
        Steps first = sequence(depth);
        if (!m_text.takes("|"))
            return first;
        const Steps second = alternatives(depth);
        Steps steps = behind({Op::Try, 1, first.size() + 2}, first);
        steps.push_back({Op::Jump, first.size() + 2 + second.size(), 0});
        append(steps, second);
        return steps;
    }

    Steps sequence(int depth)
    {
        Steps steps;
        while (m_text.more() && m_text.next() != '|' && m_text.next() != ')') {
            const Steps part = atom(depth);
            append(steps, repeated(part, quantifier()));
        }
        return steps;
    }

    Steps atom(int depth)
    {
        if (m_text.takes("("))
            return group(depth);
        if (m_text.takes("["))
            return one(readBracketClass(m_text, m_ignoresCase));
        if (m_text.takes("\\"))
            return one(readEscape(m_text));
        if (m_text.takes("."))
            return one({.ranges = {{'\n', '\n'}}, .negated = true});
        if (std::string_view("*+?{^$").find(m_text.next()) != std::string_view::npos) {
            m_text.fail("\"" + std::string(1, m_text.next()) + "\", which is not understood here");
            return {};
        }
        LetterClass only;
        addLetter(only, m_text.takeLetter(), m_ignoresCase, m_text);
        return one(std::move(only));
    }

    Steps one(LetterClass letters)
    {
        m_pattern.m_classes.push_back(std::move(letters));
        return {{Op::One, m_pattern.m_classes.size() - 1, 0}};
    }

    Steps group(int depth)
    {
        const bool before = m_ignoresCase;
        std::optional<Op> wrapped;
        if (m_text.takes("?i:"))
            m_ignoresCase = true;
        else if (m_text.takes("?="))
            wrapped = Op::Ahead;
        else if (m_text.takes("?!"))
            wrapped = Op::NotAhead;
        else if (m_text.takes("?>"))
            wrapped = Op::Atomic;
        else if (!m_text.takes("?:") && m_text.more() && m_text.next() == '?')
            m_text.fail("a group of a kind that is not understood");
        Steps inside = alternatives(depth + 1);
        if (!m_text.takes(")"))
            m_text.fail("a group without an end");
        m_ignoresCase = before;
        return wrapped ? closed(*wrapped, std::move(inside)) : inside;
    }

    Steps closed(Op op, Steps inside)
    {
        inside.push_back({});
        return behind({op, 0, inside.size() + 1}, inside);
    }

    Repeat quantifier()
    {
        Repeat repeat;
        if (m_text.takes("*"))
            repeat = {0, kForEver};
        else if (m_text.takes("+"))
            repeat = {1, kForEver};
        else if (m_text.takes("?"))
            repeat = {0, 1};
        else if (m_text.takes("{"))
            repeat = counts();
        else
            return repeat;
        repeat.lazy = m_text.takes("?");
        repeat.possessive = !repeat.lazy && m_text.takes("+");
        return repeat;
    }

    // "3}", "1,3}" or "2,}"
    Repeat counts()
    {
        Repeat repeat;
        repeat.least = count();
        repeat.most = repeat.least;
        if (m_text.takes(","))
            repeat.most = m_text.more() && m_text.next() == '}' ? kForEver : count();
        if (!m_text.takes("}") || repeat.most < repeat.least)
            m_text.fail("a count that is not understood");
        return repeat;
    }

    std::size_t count()
    {
        std::size_t value = kForEver;
        const std::string_view rest = m_text.rest();
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (error != std::errc() || value > kMostRepeats) {
            m_text.fail("a count that is no number up to 256");
            return 0;
        }
        m_text.skip(static_cast<std::size_t>(end - rest.data()));
        return value;
    }

    Steps repeated(const Steps& part, const Repeat& repeat)
    {
        Steps steps;
        for (std::size_t i = 0; i < repeat.least; ++i)
            append(steps, part);
        const auto attempt = [&](std::size_t end) {
            return repeat.lazy ? Step{Op::Try, end, 1} : Step{Op::Try, 1, end};
        };
        if (repeat.most == kForEver) {
            Steps loop = behind(attempt(part.size() + 2), part);
            loop.push_back({Op::Jump, 0, 0});
            append(steps, loop);
        }
        for (std::size_t i = repeat.least; i < repeat.most && repeat.most != kForEver; ++i)
            append(steps, behind(attempt(part.size() + 1), part));
        return repeat.possessive ? closed(Op::Atomic, std::move(steps)) : steps;
    }

    std::string_view m_written;
    PatternText m_text;
    bool m_ignoresCase = false;
    SplitPattern m_pattern;
};

Result<SplitPattern> SplitPattern::parse(std::string_view pattern)
{
    if (pattern.size() > kMostPatternBytes || !isUtf8(pattern))
        return Error{ErrorCode::Format, "a pattern that cuts words is too long or no UTF-8"};
    return SplitPatternParser(pattern).parse();
}

}  // namespace qs::core
