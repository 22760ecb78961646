"""The closed classes of English words that the rules of this room go by; lower case, without apostrophe."""


def word_set(words: str) -> frozenset[str]:
    """The words of a blank-separated string."""
    return frozenset(words.split())


PRONOUNS = word_set("i you he she it we they this that these those there")
POINTING = word_set("this that these those")
SUBJECTS = PRONOUNS | word_set(
    "your his her its their the our any anyone anybody anything someone"
)  # what can follow an auxiliary in a question
AUXILIARIES = word_set("is are was were am do does did has have had can could will would may might")
MODALS = AUXILIARIES | word_set("be should must shall")
FINITE = MODALS | word_set("need needs mean means require requires deserve deserves")
CONJUNCTIONS = word_set("but however so because although though while whereas then yet if when unless since otherwise")

# A sentence or clause that begins with one of these tells the listener to do something.
DIRECTIVES = word_set(
    "take use try give get go call drink rest keep see have buy start continue please instead just then let "
    "speak talk ask check seek eat stay make dial phone ring hang sit"
)
# What may stand before the words that make a sentence a question.
FILLERS = word_set(
    "okay ok so and well alright right now thanks thank great good sure um uh er hmm mm sorry hello hi hey "
    "but also first firstly second next then finally lastly please yes yeah no oh ah perfect fine understood "
    "or just"
)

NEGATORS = word_set("not no never without nor neither none nothing against hardly unlikely")
# Verbs that turn what follows down; `do not stop` turns it up again.
REFUSALS = word_set(
    "avoid avoids avoiding avoided stop stopping skip skipping refrain refraining discourage quit doubt"
)
REFUSING_PHRASES = (
    ("instead", "of"),
    ("rather", "than"),
    ("other", "than"),
    ("stay", "away", "from"),
    ("keep", "away", "from"),
    ("steer", "clear", "of"),
    ("hold", "off"),
)
WARNINGS = word_set(
    "unsafe harmful harm harms hurt hurts danger dangerous risk risks risky contraindicated damage damages forbidden "
    "prohibited banned"
)
# `do not hesitate to call`, `nothing wrong with it`: the negation is spent on these and reaches no further.
SPENDING = WARNINGS | word_set(
    "hesitate hesitating hesitant forget delay delaying wait waiting ignore miss fail worry worried mind matter "
    "problem wrong bad issue reason rule afraid scared nervous concern concerned"
)
# These take it only right behind the negation: `not only`, `no doubt`.
SPENDING_AT_ONCE = word_set("only just doubt")

CONTRACTED = {
    **{
        verb + "nt": (verb, "not")
        for verb in word_set("do does did is are was were have has had could would should might must need")
    },
    "cant": ("can", "not"),
    "wont": ("will", "not"),
    "shant": ("shall", "not"),
    "aint": ("is", "not"),
    "cannot": ("can", "not"),
}
