#include "core/base/note.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

// Of one note; nothing if it is none.
std::optional<Note> noteFrom(const JsonView& json)
{
    Note note;
    std::size_t count = 0;
    bool isNote = true;
    json.forEachItem([&](const JsonView& each) {
        const auto text = each.text();
        const auto number = each.number();
        const auto code = text ? kNoteCodes.find(*text) : std::nullopt;
        if (count++ == 0 && code)
            note.code = *code;
        else if (count > 1 && text)
            note.arguments.emplace_back(std::string(*text));
        else if (count > 1 && number && std::isfinite(*number))
            note.arguments.emplace_back(*number);
        else
            isNote = false;
    });
    return isNote && count > 0 ? std::optional(std::move(note)) : std::nullopt;
}

}  // namespace

double Note::number(std::size_t place) const
{
    const double* value =
        place < arguments.size() ? std::get_if<double>(&arguments[place]) : nullptr;
    return value == nullptr ? 0.0 : *value;
}

const std::string& Note::text(std::size_t place) const
{
    static const std::string none;
    const std::string* value =
        place < arguments.size() ? std::get_if<std::string>(&arguments[place]) : nullptr;
    return value == nullptr ? none : *value;
}

Note remark(std::string words)
{
    return {NoteCode::Remark, {std::move(words)}};
}

bool sayTheSame(const Note& one, const Note& other)
{
    return one.code == other.code &&
           std::equal(one.arguments.begin(), one.arguments.end(), other.arguments.begin(),
                      other.arguments.end(), [](const NoteArgument& a, const NoteArgument& b) {
                          return a.index() == b.index() &&
                                 (std::holds_alternative<double>(a) || a == b);
                      });
}

void addNote(std::vector<Note>& notes, Note note)
{
    if (std::none_of(notes.begin(), notes.end(),
                     [&](const Note& each) { return sayTheSame(each, note); }))
        notes.push_back(std::move(note));
}

Json toJson(const std::vector<Note>& notes)
{
    Json list = Json::array();
    for (const Note& note : notes) {
        Json each = Json::array({kNoteCodes.of(note.code)});
        for (const NoteArgument& argument : note.arguments)
            std::visit([&](const auto& value) { each.push_back(value); }, argument);
        list.push_back(std::move(each));
    }
    return list;
}

std::vector<Note> notesFromJson(JsonFields& fields, std::string_view name)
{
    std::vector<Note> notes;
    const JsonView* list = fields.member(name);
    if (list == nullptr)
        return notes;
    if (!list->isList()) {
        fields.complain(name, "expected a list");
        return notes;
    }
    list->forEachItem([&](const JsonView& json) {
        if (auto note = noteFrom(json))
            notes.push_back(std::move(*note));
        else
            fields.complain(name, "contains an invalid note");
    });
    return notes;
}

}  // namespace qs::core
