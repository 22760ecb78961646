"""What an agent's words do apart from asking for facts: greet, close, say goodbye, send to emergency care."""

import re
from dataclasses import dataclass
from typing import Literal

from voicesim.language.sentences import is_question, split

Move = Literal[
    "farewell",
    "emergency",
    "anything_else",
    "understood",
    "present",
    "again",
    "correct",
    "permission",
    "offer",
    "request",
    "help",
    "greeting",
]

_PLACE = (
    r"(?:emergency (?:services?|number|line|room|department|care|help|medical)|ambulance"
    r"|911|9-1-1|nine one one|112|118|119|999|nearest hospital|hospital|paramedics|the er\b|a&e)"
)
_EMERGENCY_WORDS = (
    rf"\b(?:call|dial|phone|ring|contact|need|seek|get|send|go(?:ing)?|head|take you|drive you|taken)\b"
    rf"[^.?!]{{0,40}}?\b{_PLACE}"
)
_PATTERNS: tuple[tuple[Move, str], ...] = (
    (
        "farewell",
        r"\b(?:good ?-?bye|bye(?:[ -]bye)?|get well soon|(?:get|feel) better soon"
        r"|hope you(?:'ll)? (?:feel|get) (?:better|well)"
        r"|have a (?:very )?(?:good|nice|great|lovely|wonderful|pleasant|restful) (?:\w+ )?"
        r"(?:day|evening|night|afternoon|morning|weekend|one|rest))\b"
        r"|\btake (?:good )?care\b(?! (?:of (?!yourself)|to |with |not |when |that |if ))"
        r"|\ba (?:speedy|quick|fast|full|swift) recovery\b|^feel better\b|^good ?night$"
        r"|^(?:see|talk to|speak to) you (?:soon|later|then|tomorrow)",
    ),
    ("emergency", _EMERGENCY_WORDS),
    (
        "anything_else",
        r"\b(?:any|some)thing else\b.*\b(?:can|could|may|like to (?:ask|discuss|talk)|help|assist|want to ask"
        r"|on your mind|should know|concern|worr)"
        r"|^(?:(?:and|so|okay|ok) )?(?:(?:is|was) there )?(?:any|some)thing else"
        r"(?: (?:today|for today|for now))?$"
        r"|\b(?:do you have|have you|are there|got|you have)"
        r" (?:(?:any|other|more|further|additional) )*questions\b"
        r"|^any (?:(?:other|more|further|additional) )*(?:questions|concerns)\b"
        r"|\bwhat else (?:can|could|may) (?:i|we)\b|\banything more (?:i|we) can\b",
    ),
    (
        "understood",
        r"\b(?:does|did) (?:that|this|it|all that) (?:make sense|answer"
        r"|sound (?:good|ok|okay|all ?right|alright|reasonable|right|fine))\b"
        r"|\b(?:does|did|would|will) (?:that|this) (?:help|work)(?: for you)?$"
        r"|\b(?:do|did) you (?:understand|follow|get that)\b"
        r"|\b(?:is|are|was) (?:that|this|it|everything|all (?:of )?that|the plan)(?: all)? "
        r"(?:ok|okay|all ?right|alright|clear|fine|good)(?: (?:for|with) you| so far| now| then)?$"
        r"|\bare you (?:ok|okay|clear|comfortable|happy|fine) (?:with|about|on)\b"
        r"|\bhow does (?:that|this) sound\b|^(?:okay|ok|all ?right|alright|understood|got it|clear|yes)"
        r"(?: so far| then| with you)?$",
    ),
    (
        "present",
        r"\b(?:are you|you) (?:still )?(?:there|with me|on the line)$"
        r"|\bcan you hear (?:me|us)\b|\banyone there$|\bstill there\b",
    ),
    (
        "again",
        r"\b(?:say|repeat) (?:that|it|what|your|the)\b.*\b(?:again|said|repeat|once more|answer|last)\b"
        r"|\brepeat (?:that|it|yourself)\b|\bsay (?:that|it) again\b"
        r"|\b(?:didn't|did not|couldn't|could not|can't) (?:quite |really )?(?:catch|hear|get|understand)"
        r" (?:that|you|it|what)\b|^(?:pardon|come again|sorry|pardon me|what was that)$|\bspeak up\b",
    ),
    (
        "correct",
        r"\b(?:is that|is this|am i|have i got that|did i get that|that's|did i hear that) (?:right|correct)"
        r"|(?<!all )\b(?:right|correct)$",
    ),
    (
        "permission",
        r"\b(?:may|can|could|shall|should) (?:i|we) (?:just |quickly )?(?:ask|check|start|begin|continue)\b"
        r"|\bare you ready\b|\bis (?:now|this) a good time\b",
    ),
    (
        "offer",
        r"\b(?:shall|should) (?:i|we) (?:just |quickly )?(?:go|book|cancel|arrange|send|put|make|have|get|take"
        r"|give|tell|explain|transfer|connect|schedule)\b"
        r"|\b(?:may|can|could) (?:i|we) (?:book|cancel|arrange|send|transfer|connect|schedule|explain)\b"
        r"|\bwould you like (?:me|us|to)\b|\bdo you want (?:me|us) to\b",
    ),
    (
        "request",
        r"\bare you willing\b"
        r"|\b(?:can|could|will|would) you (?:please |be able to |try to )?(?:try|rest|do|call|see|book|make"
        r"|go|avoid|stop|keep|arrange|stay|follow|promise|sit|wait|hold|drink|eat)\b",
    ),
    (
        "help",
        r"\bhow (?:can|may|could) (?:i|we) (?:help|assist|be of)"
        r"|\bwhat (?:can|may|could) (?:i|we) (?:do|help)"
        r"|\bwhat brings you\b|\bwhat(?:'s| is| seems to be) (?:the |your )?"
        r"(?:problem|matter|wrong|trouble|concern|going on|happening|bothering|reason|main)"
        r"|\bhow are you\b|\bhow do you feel\b|\bare you feeling\b|\b(?:your|the|what|which) symptoms\b"
        r"|\bwhat(?:'s| has| have)? been (?:going on|happening|bothering|troubling)"
        r"|\bwhat are you (?:feeling|experiencing)|\bdescribe (?:it|that|this|how|what)\b|\btell me about\b"
        r"|\bwhy (?:are|did) you call|\bwhat happened\b|\btell me (?:more|what|a bit|a little)\b",
    ),
    (
        "greeting",
        r"^(?:hello|hi|hey|good (?:morning|afternoon|evening)|welcome|thank(?:s| you) for calling)\b",
    ),
)
_COMPILED = tuple((move, re.compile(pattern)) for move, pattern in _PATTERNS)
_EMERGENCY = re.compile(_EMERGENCY_WORDS)
_CONDITION = re.compile(r"\b(?:if|unless|should you|in case|in (?:that|those) cases?|when|whenever|any of)\b")
_NOT = re.compile(r"\b(?:not|no need|don't|never|needn't|without)\b[^,;]*$")


@dataclass(frozen=True)
class Sentence:
    """One sentence of an agent's turn: its words, whether they ask or request, and what else they do."""

    text: str
    asks: bool
    moves: frozenset[Move]


def read(heard: str) -> tuple[Sentence, ...]:
    """The sentences of an agent's turn, in order; none when nothing was understood."""
    out: list[Sentence] = []
    for text in split(heard):
        if not re.search(r"\w", text):
            continue
        words = plain(text)
        moves = {move for move, pattern in _COMPILED if pattern.search(words)}
        # "If it gets worse, don't wait. Call an ambulance." is one safety net in two sentences.
        hypothetical = bool(out) and _CONDITION.match(plain(out[-1].text)) is not None
        if "emergency" in moves and (hypothetical or not _now(words)):
            moves.discard("emergency")
        out.append(Sentence(text, is_question(text), frozenset(moves)))
    return tuple(out)


def plain(text: str) -> str:
    """Lower case, straight apostrophes, single spaces, no punctuation at the ends.

    >>> plain("  Does that make  sense? ")
    'does that make sense'
    """
    straight = text.lower().replace("’", "'").replace("‘", "'")
    return " ".join(straight.split()).strip(' .,!?;:"“”-')


def says_goodbye(text: str) -> bool:
    """Whether any sentence of a turn is a goodbye."""
    return any("farewell" in sentence.moves for sentence in read(text))


def _now(words: str) -> bool:
    """Whether emergency care is told for now; "if it gets worse" makes it a safety net."""
    found = _EMERGENCY.search(words)
    if found is None:
        return False
    before, after = words[: found.start()], words[found.end() :]
    if _CONDITION.search(before) or _CONDITION.search(found.group()) or _NOT.search(before):
        return False
    later = _CONDITION.search(after)
    # "Call them now, and if you can't, ..." is meant; "call them at once if ..." is not.
    return later is None or re.search(r"[,;:–—]", after[: later.start()]) is not None
