#!/usr/bin/env python3
"""Counts the methods that each class of the product declares in a header, and fails above a limit.

A class that has more than one duty shows it in the number of its methods, however many files they are spread over.
Counted are all functions declared in the class: constructors, slots and signals too; those of a class inside it for
that class.
"""
import pathlib
import re
import sys
import tempfile

MOST = 35
# Above it for a reason; a line goes when its class is divided.
KNOWN = {
    "core/graph/builder.h": "GraphBuilder",  # a method for each operation
}
LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*(?:.|\n)*?\*/|^[ \t]*#.*$', re.MULTILINE)
CLASS = re.compile(r"(?<!enum )\b(?:class|struct)\s+(?:\[\[[^]]*\]\]\s*)?(\w+)\s*(?:final\b\s*)?(?::[^;()]*)?$")
ACCESS = re.compile(r"\b(?:public|protected|private)\s*(?:Q_SLOTS)?\s*:(?!:)|\bQ_SIGNALS\s*:")
NOISE = re.compile(r"\bQ?S?_[A-Z_]+\b(?:\s*\([^()]*\))?|\[\[[^]]*\]\]|\b(?:alignas|decltype)\s*\([^()]*\)")
NO_METHOD = re.compile(r"^\s*(?:,|(?:friend|using|static_assert)\b)")
METHOD = re.compile(r"\boperator\b|\w\s*\(")


def without_templates(text):
    """Drops <…> of types: the parentheses of a std::function are not those of a method."""
    text = re.sub(r"\boperator\s*[<>=!-]+", "operator", text)
    while True:
        shorter = re.sub(r"<[^<>]*>", "", text)
        if shorter == text:
            return text
        text = shorter


def is_method(statement):
    statement = without_templates(NOISE.sub("", ACCESS.sub("", statement)))
    # Neither the value of a member nor that of a parameter is a list of parameters.
    return not NO_METHOD.match(statement) and METHOD.search(statement.split("=")[0]) is not None


def methods(text):
    """How many methods each class in the text of a header declares, by its name."""
    counts, statement = {}, ""
    scopes = [""]  # the class at each depth of braces; nothing for those of namespaces and of bodies
    for character in LITERAL.sub(" ", text):
        if character not in "{};":
            statement += character
            continue
        declared = CLASS.search(ACCESS.sub("", statement).strip()) if character == "{" else None
        if declared is None and character != "}" and scopes[-1] and is_method(statement):
            counts[scopes[-1]] += 1
        if character == "{":
            name = "::".join(filter(None, [scopes[-1], declared.group(1)])) if declared else ""
            scopes.append(name)
            if name:
                counts.setdefault(name, 0)
        elif character == "}":
            scopes.pop()
        statement = ""
    return counts


def check(root, known):
    found = []
    for top in ("core", "widgets", "app"):
        for file in sorted(pathlib.Path(root, top).rglob("*.h")):
            path = file.relative_to(root).as_posix()
            for name, count in methods(file.read_text(encoding="utf-8")).items():
                if known.get(path) == name:
                    if count <= MOST:
                        found.append(f"{path}: {name} is small enough now: take it off the list")
                elif count > MOST:
                    found.append(f"{path}: {name} declares {count} methods, more than {MOST}: divide its duties")
    return found


def selftest():
    text = """
    #pragma once
    namespace qs { namespace {
    enum class Kind { A, B };
    template <typename T> class Example final : public QObject
    {
        Q_OBJECT
        Q_PROPERTY(int size READ size)
    public:
        explicit Example(std::vector<int> values = {}, QObject* parent = nullptr) : m_a{1}, m_b(2) { f(); g(); }
        ~Example() override;
        [[nodiscard]] bool operator==(const Example& other) const = default;  // is no method() twice
        void first(const QString& text = QStringLiteral("{;}"), int a = {});
    Q_SIGNALS:
        void second(int x);
    private:
        friend bool near(const Example& a, const Example& b);
        using Done = std::function<void(int)>;
        struct Inner {
            [[nodiscard]] std::map<int, std::function<void()>> third() const { return {}; }
            int value = compute();
        };
        std::function<void(const QString&)> m_done;
        std::array<int, 3> m_a{};
        int m_b = std::max(1, 2);
    };
    void free();
    } }
    """
    expected = {"Example": 5, "Example::Inner": 1}
    problems = [] if methods(text) == expected else [f"counted {methods(text)} instead of {expected}"]
    with tempfile.TemporaryDirectory() as folder:
        for name, many in (("small", MOST), ("large", MOST + 1), ("known", MOST + 1), ("divided", MOST)):
            body = "".join(f"    void f{i}();\n" for i in range(many))
            file = pathlib.Path(folder, "widgets", name + ".h")
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"class Example\n{{\npublic:\n{body}}};\n", encoding="utf-8")
        found = check(folder, {"widgets/known.h": "Example", "widgets/divided.h": "Example"})
    if [line.split(":")[0] for line in found] != ["widgets/divided.h", "widgets/large.h"]:
        problems.append(f"the limit does not bite: {found}")
    return problems


if __name__ == "__main__":
    problems = selftest() if sys.argv[1] == "--selftest" else check(sys.argv[1], KNOWN)
    print("\n".join(problems) or "no class is too large")
    sys.exit(1 if problems else 0)
