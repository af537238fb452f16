#pragma once

#include <clocale>
#include <locale>
#include <string>

namespace qs::tests {

// While it lives, the C++ locale writes a decimal comma and groups digits, and so does the C locale
// if the system has such a one: what a German desktop does to a program.
class CommaLocale final
{
public:
    CommaLocale()
    {
        m_previous = std::locale::global(std::locale(std::locale::classic(), new Comma));
        m_previousNumeric = std::setlocale(LC_NUMERIC, nullptr);
        for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) {
            if (std::setlocale(LC_NUMERIC, name) != nullptr)
                break;
        }
    }
    ~CommaLocale()
    {
        std::locale::global(m_previous);
        std::setlocale(LC_NUMERIC, m_previousNumeric.c_str());
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

private:
    class Comma final : public std::numpunct<char>
    {
        [[nodiscard]] char do_decimal_point() const override { return ','; }
        [[nodiscard]] char do_thousands_sep() const override { return '.'; }
        [[nodiscard]] std::string do_grouping() const override { return "\3"; }
    };

    std::locale m_previous;
    std::string m_previousNumeric;
};

}  // namespace qs::tests
