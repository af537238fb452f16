#!/usr/bin/env python3
"""Writes byte-level tokenizers of the kinds that GPT-2, Llama 3, Qwen, GPT-4o and RoBERTa have, trained on this
folder's few sentences, and what tokenizers 0.22.1 makes of several hundred texts with each of them.

    pip install --no-deps tokenizers==0.22.1 && python3 tests/golden/tokenizers/generate.py
"""
import json
import pathlib
import random
import unicodedata

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).parent
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
QWEN = LLAMA3.replace("{1,3}", "")
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
SENTENCES = [
    "The quick brown fox jumps over the lazy dog, doesn't it?", "It's what they'll say: we've done it and I'd do it again.",
    "def forward(self, x):\n    return self.fc2(torch.relu(self.fc1(x)))\n", "for (int i = 0; i < 10; ++i)\n\tsum += values[i];\n",
    "Die Größe der Straße überrascht; naïve Leute gehen über Flüsse.", "Быстрая лиса прыгает через ленивую собаку.",
    "敏捷的棕色狐狸跳过了懒狗。", "いろはにほへと ちりぬるを", "빠른 갈색 여우", "سريع الثعلب البني", "3.14159 and 2,718,281 or 1e-9 in 2026",
    "👍🏽 is an emoji, 👩‍👩‍👧 is several, and ½ ² Ⅷ are numbers", "https://example.org/a/b?c=d&e=f#g", "  leading, trailing   and   inner spaces  ",
]
TEXTS = SENTENCES + [
    "", " ", "\n", "\t\t", " \n ", "\r\n\r\n", "a\u00a0b\u2003c\u3000d", "x  \n  y", "DON'T Don'T don’t I'LL 'S ſ'ſ we'Re", "\u0645\u0631\u062d\u0628\u0627 \u0661\u0662\u0663",
    "<s>begin<s> end", "<|end|>", "x <|end|> y", "word<mask>word", "a <mask> b", "   <strip>   z", "<strip><strip>", "the-word-alone wordalone <|en", "0123456789012",
    "\ufeffbom", "\u200bzero\u200dwidth", "a\u0301 e\u0301", "\u212b \u2126 K", "𝒳𝟙𐍈", "ABCdefGHIjkl", "ǅ ǈ ʰʱ ªº", "______", "%%%%\n\n//", "\x00\x01\x7f", "'", "''s", "a'b'c", "1'2", "'1st",
]


def drawn():
    """Texts of letters drawn from all that are assigned, and of pieces of the sentences."""
    source = random.Random(7)
    letters = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]
    common = [chr(code) for code in range(0x20, 0x250)] + list(" \n\t'’0123456789")
    pieces = " ".join(SENTENCES).split(" ") + ["<s>", "<|end|>", "<mask>", "<strip>", "alone", " ", "  ", "\n", "\r\n", "'s", "'LL", "12345"]
    texts = ["".join(source.choices(letters, k=source.randint(1, 30))) for _ in range(60)]
    texts += ["".join(source.choices(common, k=source.randint(1, 60))) for _ in range(60)]
    return texts + [source.choice(["", " "]).join(source.choices(pieces, k=source.randint(1, 25))) for _ in range(60)]


def cut(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), behavior, invert),
                                    pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


KINDS = {
    "gpt2": dict(cutting=pre_tokenizers.ByteLevel(add_prefix_space=False)),
    "roberta": dict(cutting=pre_tokenizers.ByteLevel(add_prefix_space=True), around=processors.RobertaProcessing(("<|end|>", 1), ("<s>", 0))),
    "llama3": dict(cutting=cut(LLAMA3), whole=True, around=processors.Sequence([processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 0)])])),
    "qwen": dict(cutting=cut(QWEN), composes=True),
    "gpt4o": dict(cutting=cut(GPT4O, "removed", True)),
    "digits": dict(cutting=pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Split("-", "isolated"),
                                                    pre_tokenizers.ByteLevel(add_prefix_space=False)])),
}


def make(cutting, around=None, whole=False, composes=False):
    tokenizer = Tokenizer(models.BPE(ignore_merges=whole))
    tokenizer.pre_tokenizer = cutting
    tokenizer.decoder = decoders.ByteLevel()
    if composes:
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.train_from_iterator(SENTENCES * 3, trainers.BpeTrainer(
        vocab_size=560, special_tokens=["<s>", "<|end|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    tokenizer.add_tokens([AddedToken("<mask>", lstrip=True, normalized=False), AddedToken("<strip>", lstrip=True, rstrip=True, normalized=False),
                          AddedToken("alone", single_word=True, normalized=False)])
    if around is not None:
        tokenizer.post_processor = around
    return tokenizer


def main():
    texts = TEXTS + drawn()
    for name, kind in KINDS.items():
        tokenizer = make(**kind)
        if kind.get("whole"):  # words that no merge makes: they are found as a whole
            document = json.loads(tokenizer.to_str())
            document["model"]["merges"] = document["model"]["merges"][::2]
            keep = document["model"]["vocab"]
            document["model"]["merges"] = [m for m in document["model"]["merges"] if all(p in keep for p in m)]
            tokenizer = Tokenizer.from_str(json.dumps(document))
        (HERE / f"{name}.tokenizer.json").write_text(json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=True, separators=(",", ":")) + "\n")
        cases = [{"text": text, "ids": tokenizer.encode(text).ids} for text in texts]
        if kind.get("composes"):
            for case in cases:
                case["composed"] = unicodedata.is_normalized("NFC", case["text"])
        (HERE / f"{name}.cases.json").write_text("[" + ",\n".join(json.dumps(case, ensure_ascii=True, separators=(",", ":")) for case in cases) + "]\n")
        print(name, len(cases), sum(len(case["ids"]) for case in cases))


if __name__ == "__main__":
    main()
