"""Names of medicines and conditions: words that a patient must not make up."""

import re

from voicesim.caller.words import stem
from voicesim.language.fold import fold
from voicesim.language.grammar import word_set

_MEDICINES = word_set(
    """acetaminophen advil aleve allegra ambroxol amitriptyline aspirin augmentin benadryl bisacodyl bisolvon
    bodrex bromhexine brufen calpol cetirizine claritin codeine cortisone decongestant decongestants
    dextromethorphan diclofenac digoxin diphenhydramine doxycycline fexofenadine fluoxetine furosemide
    gabapentin gliclazide glipizide glyburide guaifenesin hydrochlorothiazide insulin levothyroxine loratadine
    mefenamic morphine motrin mucinex naproxen neozep norvasc nurofen nyquil panadol paracetamol paratusin
    phenylephrine prednisolone prednisone procold promethazine pseudoephedrine ranitidine robitussin
    salbutamol sanmol sertraline spironolactone strepsils sudafed tramadol tylenol ventolin vicks warfarin zyrtec"""
)
# The endings by which generic medicines are named.
_GENERIC = re.compile(
    r"\w{2,}(?:olol|opril|sartan|cillin|mycin|micin|statin|formin|dipine|prazole|floxacin|profen|triptan"
    r"|gliptin|gliflozin|parin|azepam|cycline|coxib|xaban|dronate|setron)"
)
_CONDITIONS = frozenset(
    stem(word)
    for word in word_set(
        """alcohol allergies allergy allergic anemia angina arthritis asthma blood bronchitis cancer
        cholesterol copd diabetes diabetic diarrhea diarrhoea dizziness dizzy emphysema epilepsy fainted gout
        hepatitis hiv hypertension kidney kidneys liver migraine pneumonia pregnant rash reflux seizure
        sinusitis smoke smoked smoking stroke surgery thyroid tonsillitis
        tuberculosis ulcer vomited vomiting"""
    )
)


def medicines(text: str) -> frozenset[str]:
    """The names of medicines in a text, folded.

    >>> sorted(medicines("Losartan and metformin, every day."))
    ['losartan', 'metformin']
    """
    return frozenset(word for word in fold(text) if word in _MEDICINES or _GENERIC.fullmatch(word))


def conditions(text: str) -> frozenset[str]:
    """The stems of words in a text that name a condition, a habit or a sign that weighs in a consultation.

    A word beginning of four letters or more counts as well, as cues have them.

    >>> sorted(conditions("Hi, I go on smoking; cue: allerg"))
    ['allerg', 'allergi', 'allergic', 'smok']
    """
    stems = frozenset(stem(word) for word in fold(text))
    return frozenset(
        condition
        for condition in _CONDITIONS
        if any(condition == two or (len(two) >= 4 and condition.startswith(two)) for two in stems)
    )
