"""Medicines a caller may name, with what a nurse line has to know of them."""

from collections.abc import Mapping

PARACETAMOL = "paracetamol"
NSAID = "an anti-inflammatory painkiller"
DECONGESTANT = "a decongestant"
METFORMIN = "metformin"
PRESSURE = "a blood pressure medicine"
KIDNEY = "a blood pressure medicine that works on the kidneys"
THINNER = "a blood thinner"
ANTIBIOTIC = "an antibiotic"

_CLASSES: Mapping[str, tuple[str, ...]] = {
    PARACETAMOL: ("paracetamol", "acetaminophen", "panadol", "tylenol", "calpol", "sanmol", "bodrex"),
    NSAID: (
        "ibuprofen",
        "advil",
        "nurofen",
        "naproxen",
        "aleve",
        "aspirin",
        "diclofenac",
        "motrin",
        "mefenamic",
    ),
    DECONGESTANT: ("pseudoephedrine", "phenylephrine", "sudafed", "decongestant"),
    METFORMIN: ("metformin", "glucophage"),
    PRESSURE: ("amlodipine", "norvasc", "bisoprolol", "atenolol", "nifedipine"),
    KIDNEY: (
        *("losartan", "valsartan", "candesartan", "telmisartan", "irbesartan", "olmesartan"),
        *(
            "lisinopril",
            "enalapril",
            "ramipril",
            "captopril",
            "perindopril",
            "furosemide",
            "hydrochlorothiazide",
        ),
    ),
    THINNER: ("warfarin", "clopidogrel", "rivaroxaban", "apixaban"),
    ANTIBIOTIC: ("antibiotic", "antibiotics", "amoxicillin", "azithromycin", "ciprofloxacin", "doxycycline"),
}

SPELLINGS: Mapping[str, str] = {name: name for members in _CLASSES.values() for name in members}
"""Every name, as `words.names` wants it."""


def class_of(name: str) -> str:
    """The class a name of SPELLINGS belongs to."""
    return next(kind for kind, members in _CLASSES.items() if name in members)
