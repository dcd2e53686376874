"""Which language a text is in, by script and stop words; its stemmer and its stop words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

import Stemmer

ENGLISH = "english"

_FUNCTION_WORDS = {
    "english": (
        "a an and are as at be but by for if in into is it no not of on or such that the their "
        "then there these they this to was will with who whom whose what which when where why "
        "how did do does done has have had i you he she we me my your his her its our were been "
        "being am can could would should may might must shall from about also both than so some "
        "any all more most other same"
    ),
    "german": (
        "der die das den dem des ein eine einen einem einer und oder nicht ist sind war wird mit "
        "auf fur von zu im in am bei nach aus wie was wann wo warum wer welche dass wenn als auch "
        "nur noch sich es sie er wir ihr ich kann hat haben werden durch uber"
    ),
    "french": (
        "le la les un une des du de et ou ne pas est sont etait avec sur pour par dans au aux ce "
        "cette ces que qui quoi quand comment pourquoi quel quelle il elle nous vous je se sa son "
        "ses plus mais si leur ont a ete"
    ),
    "spanish": (
        "el la los las un una unos unas de del y o no es son era con por para en al que quien "
        "cuando como donde cual cuales se su sus lo le les mas pero si este esta estos ha han"
    ),
    "italian": (
        "il lo la gli le un uno una di del della dei e o non e sono era con per in su al alla che "
        "chi quando come dove quale perche si suo sua piu ma se questo questa ha hanno"
    ),
    "portuguese": (
        "o a os as um uma de do da dos das e ou nao e sao era com por para em no na que quem "
        "quando como onde qual se seu sua mais mas este esta ha foi ser"
    ),
    "dutch": (
        "de het een en of niet is zijn was met op voor van te in aan bij naar uit hoe wat wanneer "
        "waar waarom wie welke dat als ook maar nog zich hij zij wij ik kan heeft wordt door over"
    ),
    "russian": (
        "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только "
        "ее мне было вот от меня еще нет о из ему когда даже ну ли если уже или ни быть был него "
        "до вас это этот где почему какой какие кто чем при для мы они"
    ),
    "none": "",
}
STOP_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {name: frozenset(words.split()) for name, words in _FUNCTION_WORDS.items()}
)
"""Language -> words that say nothing of the subject, question words among them."""

LANGUAGES = tuple(STOP_WORDS)
_LATIN = tuple(n for n in LANGUAGES if n not in {"russian", "none"})
_SPOKEN_IN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        word: tuple(name for name in _LATIN if word in STOP_WORDS[name])
        for name in _LATIN
        for word in STOP_WORDS[name]
    }
)
_SPOKEN = frozenset(_SPOKEN_IN)
_OF_SCRIPT = (
    (re.compile("[\u0400-\u052f]+"), "russian"),
    (re.compile("[\u0370-\u03ff\u1f00-\u1fff]+"), "greek"),
    (re.compile("[\u0530-\u058f]+"), "armenian"),
    (re.compile("[\u0600-\u06ff]+"), "arabic"),
    (re.compile("[\u0900-\u097f]+"), "hindi"),
    (re.compile("[\u0b80-\u0bff]+"), "tamil"),
)
_LATIN_WORD = re.compile("[a-z\u00df-\u024f]+")


def of(words: Iterable[str]) -> str:
    """Return the language of the Latin words of a text: English unless another shows itself.

    Another language must have at least two of its own stop words, and more than English has.
    """
    telling = [word for word in words if word in _SPOKEN]
    counts = Counter(name for word in telling for name in _SPOKEN_IN[word])
    best = max(_LATIN, key=lambda name: (counts[name], name == ENGLISH))
    return best if counts[best] > max(1, counts[ENGLISH]) else ENGLISH


def stem(word: str, language: str) -> str:
    """Return the stem of a case-folded word: of a Latin one in `language`, else of its script.

    Stems of Latin languages but English carry a prefix, so that they match their own kind only.
    A word of another script, or with a digit, is its own stem.
    """
    if _LATIN_WORD.fullmatch(word):
        stemmed = str(_stemmer(language).stemWord(word))
        return stemmed if language == ENGLISH else f"{language[:2]}|{stemmed}"
    for script, name in _OF_SCRIPT:
        if script.fullmatch(word):
            return str(_stemmer(name).stemWord(word))
    return word


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language)
