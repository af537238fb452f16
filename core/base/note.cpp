#include "core/base/note.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

// Of one note; nothing if it is none.
std::optional<Note> noteFrom(const Json& json)
{
    if (!json.is_array() || json.empty() || !json[0].is_string())
        return std::nullopt;
    const auto code = kNoteCodes.find(json[0].get<std::string>());
    if (!code)
        return std::nullopt;
    Note note{*code, {}};
    for (std::size_t i = 1; i < json.size(); ++i) {
        if (json[i].is_string())
            note.arguments.emplace_back(json[i].get<std::string>());
        else if (json[i].is_number() && std::isfinite(json[i].get<double>()))
            note.arguments.emplace_back(json[i].get<double>());
        else
            return std::nullopt;
    }
    return note;
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
    const Json* list = fields.find(name);
    if (list == nullptr)
        return notes;
    if (!list->is_array()) {
        fields.complain(name, "expected a list");
        return notes;
    }
    for (const Json& json : *list) {
        if (auto note = noteFrom(json))
            notes.push_back(std::move(*note));
        else
            fields.complain(name, "contains an invalid note");
    }
    return notes;
}

}  // namespace qs::core
