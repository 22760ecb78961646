"""Short answers to what callers ask once they have been advised."""

import re

from voicesim.reference_agents import drugs
from voicesim.reference_agents.advice import Turn
from voicesim.reference_agents.caller_state import CallerState
from voicesim.reference_agents.words import names

_WORK = re.compile(r"\b(?:work|job|office|school|drive|driving)\b")
_PAST_IT = re.compile(r"\bhow long will\b|\bwhen will\b.*\bbetter\b|\bhow many days\b")
_CONTAGIOUS = re.compile(r"\bcontagious\b|\binfect (?:my|other|the)\b|\bcatch it\b|\bpass it on\b")
_ASKS = re.compile(
    r"\?|\b(?:can|could|may|should|shall) (?:i|we|she|he)\b|\bwhat (?:about|if|can|should)\b|\bgive me\b"
)
_UNSURE = "I can't say that for sure over the phone. Please ask your doctor or a pharmacist."


def answer(folded: str, caller: CallerState) -> Turn:
    """The answer to a question in a folded text; empty when it asks nothing."""
    if not _ASKS.search(folded):
        return ()
    asked = {drugs.class_of(name) for name in names(folded, drugs.SPELLINGS)}
    if drugs.NSAID in asked:
        return (_anti_inflammatory(caller),)
    if drugs.DECONGESTANT in asked or re.search(r"\bsyrup\b|\bcold (?:medicine|tablet)", folded):
        return (_cold_product(caller),)
    if drugs.PARACETAMOL in asked:
        return (_paracetamol(caller),)
    if asked & {drugs.METFORMIN, drugs.PRESSURE, drugs.KIDNEY}:
        return ("Ask your own doctor before you change that. If you vomit or can't drink, call the same day.",)
    if _CONTAGIOUS.search(folded):
        return ("A cold can be passed on, mostly in the first days. Wash your hands and keep some distance.",)
    if _PAST_IT.search(folded):
        return ("Most colds get better within seven to ten days. A cough can take a little longer.",)
    if _WORK.search(folded):
        return ("If you have no fever and feel well enough, you can work, but rest is better for a day or two.",)
    return (_UNSURE,)


def _anti_inflammatory(caller: CallerState) -> str:
    if caller.pregnant:
        return "Please do not take ibuprofen or similar painkillers while you are pregnant."
    if caller.no_anti_inflammatory or caller.diabetic:
        return "Please do not take ibuprofen or the like with your conditions. Paracetamol is safer."
    if caller.child:
        return "Please ask your pediatrician before you give that."
    return "I would rather you did not. Paracetamol, as the label says, is the safer choice."


def _cold_product(caller: CallerState) -> str:
    if caller.child:
        return "No, please do not give cough or cold medicine to a small child."
    if caller.pregnant:
        return "No, please do not take a cold product now. Ask your obstetrician first."
    if caller.pressure:
        return "Please do not take a product with a decongestant. It can raise your blood pressure."
    return "Ask a pharmacist to check the label with you, and use just one product at a time."


def _paracetamol(caller: CallerState) -> str:
    if caller.took_cold_tablet:
        return "Not yet. Please wait until at least six hours after the tablets, and take just one of the two."
    if caller.child:
        return "Ask your pediatrician to confirm the dose, or follow the label for the weight."
    if caller.pregnant:
        return "Please ask your obstetrician first. Paracetamol is usually the one they choose."
    if "liver" in caller.conditions:
        return "Please ask your doctor first, because of your liver."
    return "Yes, as the label says, and never more than four thousand milligrams in a day from all products."
