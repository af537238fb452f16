#include "core/model/text/tokenizer_file.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/parsed_json.h"
#include "core/model/text/utf8.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace qs::core {

namespace {

constexpr JsonLimits kLimits{std::size_t{64} << 20U, 32, 8'000'000, std::size_t{64} << 10U};
constexpr std::int64_t kHighestId = (std::int64_t{1} << 24U) - 1;
constexpr std::size_t kMostAdded = 16'384;

// What GPT-2 cuts words with, and ByteLevel means.
constexpr std::string_view kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

class TokenizerReader final
{
public:
    Result<TokenizerParts> read(const JsonView& root)
    {
        const auto model = root.member("model");
        if (!model || !model->isObject())
            return Error{ErrorCode::Format, "it has no model: no tokenizer.json"};
        readModel(*model);
        if (m_problem.ok())
            readAdded(root);
        readStep(root, "normalizer", [&](const JsonView& each) { return normalize(each); });
        readStep(root, "pre_tokenizer", [&](const JsonView& each) { return cut(each); });
        readStep(root, "post_processor", [&](const JsonView& each) { return surround(each); });
        readStep(root, "decoder", [&](const JsonView& each) {
            return typeOf(each) == "ByteLevel" ? Status() : unknown("a decoder", each);
        });
        if (!m_problem.ok())
            return m_problem.error();
        return std::move(m_parts);
    }

private:
    static std::string_view typeOf(const JsonView& each)
    {
        const auto type = each.member("type");
        return type ? type->text().value_or(std::string_view()) : std::string_view();
    }

    static Error unsupported(const std::string& what)
    {
        return {ErrorCode::Unsupported,
                what + ", which is not known here; byte-level byte pair encoding is. Give token "
                       "ids instead (file:PATH)"};
    }
    static Status unknown(const std::string& what, const JsonView& each)
    {
        return unsupported("it has " + what + " of the type \"" + cleanLine(excerpt(typeOf(each))) +
                           "\"");
    }

    void note(const Status& status)
    {
        if (m_problem.ok() && !status.ok())
            m_problem = status;
    }

    static bool flag(const JsonView& each, std::string_view name, bool fallback)
    {
        const auto member = each.member(name);
        return member ? member->flag().value_or(fallback) : fallback;
    }

    static std::string_view text(const JsonView& each, std::string_view name)
    {
        const auto member = each.member(name);
        return member ? member->text().value_or(std::string_view()) : std::string_view();
    }

    // One step, each of a sequence of them, or none.
    template <typename Read>
    void readStep(const JsonView& root, std::string_view name, const Read& read, int depth = 0)
    {
        const auto step = depth == 0 ? root.member(name) : std::optional(root);
        if (!step || step->isNull() || !m_problem.ok())
            return;
        if (typeOf(*step) != "Sequence")
            return note(read(*step));
        if (depth > 4)
            return note(Error{ErrorCode::Format, "sequences nested too deep"});
        for (const std::string_view list :
             {"normalizers", "pretokenizers", "processors", "decoders"}) {
            if (const auto steps = step->member(list))
                steps->forEachItem(
                    [&](const JsonView& each) { readStep(each, name, read, depth + 1); });
        }
    }

    void readModel(const JsonView& model)
    {
        if (!typeOf(model).empty() && typeOf(model) != "BPE")
            return note(unknown("a model", model));
        for (const char* name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
            if (!text(model, name).empty())
                return note(unsupported(std::string("its model has ") + name));
        }
        const auto dropout = model.member("dropout");
        if (flag(model, "byte_fallback", false) ||
            (dropout && dropout->number().value_or(0.0) > 0.0))
            return note(unsupported("its model has byte_fallback or dropout"));
        const auto vocab = model.member("vocab");
        const auto merges = model.member("merges");
        if (!vocab || !vocab->isObject() || !merges || !merges->isList())
            return note(Error{ErrorCode::Format, "its model has no vocabulary or no merges"});
        vocab->forEachMember([&](std::string_view token, const JsonView& id) {
            const auto value = id.wholeNumber();
            if (!value || *value < 0 || *value > kHighestId)
                note(Error{ErrorCode::Format, "an id is no whole number up to 16,777,215"});
            else
                m_parts.pairs.addToken(token, *value);
        });
        for (unsigned byte = 0; byte < 256 && m_problem.ok(); ++byte) {
            const char one = static_cast<char>(byte);
            if (!m_parts.pairs.idOf(std::string_view(&one, 1)) && byte != 0xC0 && byte != 0xC1 &&
                byte < 0xF5 && !text(model, "unk_token").empty())
                note(unsupported("its vocabulary lacks bytes, and it has an unknown token"));
        }
        merges->forEachItem([&](const JsonView& merge) {
            if (m_problem.ok())
                note(readMerge(merge));
        });
        m_parts.pairs.setWholeWordsFirst(flag(model, "ignore_merges", false));
    }

    // "a b", or ["a", "b"].
    Status readMerge(const JsonView& merge)
    {
        std::vector<std::string_view> sides;
        if (const auto text = merge.text()) {
            const auto space = text->find(' ');
            if (space != std::string_view::npos)
                sides = {text->substr(0, space), text->substr(space + 1)};
        } else {
            merge.forEachItem([&](const JsonView& side) {
                sides.push_back(side.text().value_or(std::string_view()));
            });
        }
        if (sides.size() != 2 || sides[0].empty() || sides[1].empty())
            return Error{ErrorCode::Format, "a merge is not of two tokens"};
        return m_parts.pairs.addMerge(sides[0], sides[1]);
    }

    void readAdded(const JsonView& root)
    {
        const auto list = root.member("added_tokens");
        if (!list)
            return;
        if (list->size() > kMostAdded)
            return note(Error{ErrorCode::Format, "more than 16,384 added tokens"});
        list->forEachItem([&](const JsonView& each) {
            const auto id = each.member("id");
            const auto value = id ? id->wholeNumber() : std::nullopt;
            const std::string content(text(each, "content"));
            if (!value || *value < 0 || *value > kHighestId || content.empty() || !isUtf8(content))
                return note(Error{ErrorCode::Format, "an added token has no content or no id"});
            m_parts.added.push_back({*value, content, flag(each, "single_word", false),
                                     flag(each, "lstrip", false), flag(each, "rstrip", false)});
            m_parts.addedById.insert_or_assign(*value, content);
        });
    }

    Status normalize(const JsonView& each)
    {
        m_parts.composes = true;
        return typeOf(each) == "NFC" ? Status() : unknown("a normalizer", each);
    }

    Status addSplit(std::string_view pattern, bool matches, bool rest)
    {
        QS_TRY(SplitPattern parsed, SplitPattern::parse(pattern));
        m_parts.cutting.emplace_back(WordSplit{std::move(parsed), matches, rest});
        return {};
    }

    Status cut(const JsonView& each)
    {
        if (typeOf(each) == "ByteLevel") {
            if (flag(each, "add_prefix_space", true))
                m_parts.cutting.emplace_back(SpaceBefore{});
            return flag(each, "use_regex", true) ? addSplit(kGpt2, true, true) : Status();
        }
        if (typeOf(each) == "Digits")
            return addSplit(flag(each, "individual_digits", false) ? "\\p{N}" : "\\p{N}+", true,
                            true);
        return typeOf(each) == "Split" ? cutBySplit(each) : unknown("a pre-tokenizer", each);
    }

    Status cutBySplit(const JsonView& each)
    {
        const auto pattern = each.member("pattern");
        const std::string_view behavior = text(each, "behavior");
        if (!pattern || (behavior != "Isolated" && behavior != "Removed"))
            return unsupported("it cuts words with the behaviour \"" +
                               cleanLine(excerpt(behavior)) + "\"");
        const bool removed = behavior == "Removed";
        const bool inverted = flag(each, "invert", false);
        // Inverted, what lies between the matches is what is looked for.
        const bool matches = !removed || inverted;
        const bool rest = !removed || !inverted;
        if (!text(*pattern, "Regex").empty())
            return addSplit(text(*pattern, "Regex"), matches, rest);
        return addSplit(escaped(text(*pattern, "String")), matches, rest);
    }

    static std::string escaped(std::string_view text)
    {
        std::string pattern;
        for (const char byte : text) {
            if (std::string_view("\\.+*?()|[]{}^$").find(byte) != std::string_view::npos)
                pattern += '\\';
            pattern += byte;
        }
        return pattern;
    }

    Status surround(const JsonView& each)
    {
        if (typeOf(each) == "ByteLevel")
            return {};
        if (typeOf(each) == "TemplateProcessing")
            return surroundByTemplate(each);
        if (typeOf(each) != "RobertaProcessing" && typeOf(each) != "BertProcessing")
            return unknown("a post-processor", each);
        QS_TRY(const std::int64_t first, idOfPair(each, "cls"));
        QS_TRY(const std::int64_t last, idOfPair(each, "sep"));
        m_parts.before.insert(m_parts.before.begin(), first);
        m_parts.behind.push_back(last);
        return {};
    }

    // ["<s>", 0]
    static Result<std::int64_t> idOfPair(const JsonView& each, std::string_view name)
    {
        std::optional<std::int64_t> id;
        if (const auto pair = each.member(name))
            pair->forEachItem([&](const JsonView& side) { id = side.wholeNumber(); });
        if (!id || *id < 0 || *id > kHighestId)
            return Error{ErrorCode::Format, "a token around texts has no id"};
        return *id;
    }

    Status surroundByTemplate(const JsonView& each)
    {
        const auto single = each.member("single");
        const auto tokens = each.member("special_tokens");
        std::vector<std::int64_t> before;
        std::vector<std::int64_t> behind;
        int texts = 0;
        bool known = single && single->isList();
        if (known)
            single->forEachItem([&](const JsonView& part) {
                const auto special = part.member("SpecialToken");
                texts += part.member("Sequence") ? 1 : 0;
                if (!special)
                    return;
                const auto entry = tokens ? tokens->member(text(*special, "id")) : std::nullopt;
                const auto ids = entry ? entry->member("ids") : std::nullopt;
                known = known && ids && ids->isList();
                if (!known)
                    return;
                ids->forEachItem([&](const JsonView& id) {
                    const auto value = id.wholeNumber();
                    known = known && value && *value >= 0 && *value <= kHighestId;
                    (texts == 0 ? before : behind).push_back(value.value_or(0));
                });
            });
        if (!known || texts != 1)
            return Error{ErrorCode::Format, "its template of a text is not understood"};
        m_parts.before.insert(m_parts.before.begin(), before.begin(), before.end());
        m_parts.behind.insert(m_parts.behind.end(), behind.begin(), behind.end());
        return {};
    }

    TokenizerParts m_parts;
    Status m_problem;
};

}  // namespace

Result<TokenizerParts> parseTokenizer(std::string_view json, std::string_view source)
{
    QS_TRY(const ParsedJson document, ParsedJson::parse(json, source, kLimits));
    auto parts = TokenizerReader().read(document.root());
    if (!parts.ok())
        return parts.error().within(std::string(source));
    return parts;
}

}  // namespace qs::core
