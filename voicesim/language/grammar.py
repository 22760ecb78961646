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
FINITE = AUXILIARIES | word_set("be should must shall need needs mean means require requires deserve deserves")
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
