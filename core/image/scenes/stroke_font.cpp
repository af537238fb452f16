#include "core/image/scenes/stroke_font.h"

#include <array>

namespace qs::core::scenes {

namespace {

constexpr double kColumns = 4.0;
constexpr double kRows = 6.0;
constexpr double kAdvance = 5.6;  // columns from letter to letter

struct Glyph {
    char letter;
    std::string_view strokes;
};

// Points are pairs of digits, column 0..4 and row 0..6 from the top; a space lifts the pen.
constexpr std::array kGlyphs{Glyph{'A', "062046 1434"},
                             Glyph{'B', "0006364534231303 2332413000"},
                             Glyph{'C', "4130100105163645"},
                             Glyph{'D', "00062645412000"},
                             Glyph{'E', "40000646 0333"},
                             Glyph{'F', "400006 0333"},
                             Glyph{'G', "413010010516364543 4323"},
                             Glyph{'H', "0006 4046 0343"},
                             Glyph{'I', "1030 2026 1636"},
                             Glyph{'J', "4045361605"},
                             Glyph{'K', "0006 4003 1346"},
                             Glyph{'L', "000646"},
                             Glyph{'M', "0600234046"},
                             Glyph{'N', "06004640"},
                             Glyph{'O', "103041453616050110"},
                             Glyph{'P', "06003041423303"},
                             Glyph{'Q', "103041453616050110 2446"},
                             Glyph{'R', "06003041423303 2346"},
                             Glyph{'S', "41301001021334453616 1605"},
                             Glyph{'T', "0040 2026"},
                             Glyph{'U', "000516364540"},
                             Glyph{'V', "002640"},
                             Glyph{'W', "0016233640"},
                             Glyph{'X', "0046 4006"},
                             Glyph{'Y', "002340 2326"},
                             Glyph{'Z', "00400646"},
                             Glyph{'0', "103041453616050110 0541"},
                             Glyph{'1', "112026 1636"},
                             Glyph{'2', "01103041420646"},
                             Glyph{'3', "0110304142334445361605 1333"},
                             Glyph{'4', "36300444"},
                             Glyph{'5', "400002324345361605"},
                             Glyph{'6', "4130100105163645443303"},
                             Glyph{'7', "004016"},
                             Glyph{'8', "103041423313020110 1304051636454433"},
                             Glyph{'9', "0516364541301001021343"},
                             Glyph{'.', "2526"},
                             Glyph{',', "2516"},
                             Glyph{'-', "1333"},
                             Glyph{':', "2122 2526"},
                             Glyph{'!', "2024 2626"},
                             Glyph{'?', "0110304142332324 2626"},
                             Glyph{'+', "2125 0343"},
                             Glyph{'/', "0640"},
                             Glyph{'(', "30121436"},
                             Glyph{')', "10323416"}};

std::string_view strokesOf(char letter)
{
    for (const Glyph& glyph : kGlyphs) {
        if (glyph.letter == letter)
            return glyph.strokes;
    }
    return {};
}

}  // namespace

double drawLine(Canvas& canvas, std::string_view text, Point origin, double height, double weight,
                Rgb colour, double slant)
{
    const double cell = height / kRows;
    for (const char letter : text) {
        Point last;
        bool drawing = false;
        const std::string_view strokes = strokesOf(letter);
        for (std::size_t i = 0; i + 1 < strokes.size();) {
            if (strokes[i] == ' ') {
                drawing = false;
                ++i;
                continue;
            }
            const double up = kRows - (strokes[i + 1] - '0');
            const Point next{origin.x + ((strokes[i] - '0') + slant * up) * cell,
                             origin.y - up * cell};
            if (drawing)
                canvas.segment(last, next, weight * height, colour);
            last = next;
            drawing = true;
            i += 2;
        }
        origin.x += kAdvance * cell;
    }
    return origin.x;
}

double lineWidth(std::string_view text, double height)
{
    return (static_cast<double>(text.size()) * kAdvance - (kAdvance - kColumns)) * height / kRows;
}

}  // namespace qs::core::scenes
