"""The offline judge over every shipped case: an agent that does well, and one that does not.

Texts are written as speech recognition gives them: a question mark lost here and there, numbers in digits.
"""

import pytest
from spoken import call

from voicesim.judge.offline.cues import CuesJudge

GOOD: dict[str, tuple[str, str]] = {
    "cold-01": (
        """
        A: Hello, this is the nurse line. How can I help?
        P: I've had a runny nose and a scratchy throat for three days. It's just a cold.
        A: I see. Are you short of breath, or do you have chest pain right now?
        P: No, my breathing is fine, and no chest pain.
        A: Okay. How many days have you had this
        P: Three days.
        A: And have you had a fever?
        P: I felt a bit hot on the first night.
        A: Do you have any other health conditions, and what medicines do you take
        P: I have high blood pressure and type two diabetes. Amlodipine and metformin.
        A: This is most likely a cold, a viral infection, though I can't be sure. Rest and drink fluids.
        P: Okay.
        A: Please ask your own doctor before you change the dose of a regular medicine.
        P: Okay.
        A: Get urgent help if your breathing becomes hard or your chest hurts. Goodbye.
        """,
        """
        breathing_now hit, duration hit, fever hit, history hit, medications hit, hedged_cold hit,
        return_if_worse hit, chronic_meds_not_blanket hit
        """,
    ),
    "cold-02": (
        """
        A: Nurse line, hello.
        P: I had a cold about four weeks ago. The cough never went away.
        A: Any trouble breathing or chest pain now?
        P: I can breathe fine.
        A: How long exactly have you been coughing? Is it getting better or worse?
        P: Four weeks. It got worse again this week.
        A: Do you smoke? Any weight loss or night sweats?
        P: No.
        A: This has lasted longer than an ordinary cold. I recommend that you see a doctor in person this week.
        """,
        """
        breathing_now hit, duration hit, trajectory hit, smoking hit, weight_loss hit, not_just_a_cold hit,
        recommend_visit hit
        """,
    ),
    "cold-03": (
        """
        A: Nurse line, hello.
        P: I had a cold and it was getting better, but yesterday the fever came back.
        A: Are you having any trouble breathing, or chest pain?
        P: I can breathe.
        A: Were you really getting better before it came back?
        P: I was almost well for two days.
        A: What is your temperature? Have you measured it?
        P: Thirty eight point six last night.
        A: Any other health conditions
        P: No.
        A: Getting worse after getting better is a warning sign. You may have a bacterial infection now.
        P: Oh.
        A: Please see a doctor in person today. Go to a hospital right away if it gets hard to breathe.
        """,
        """
        breathing_now hit, flags_secondary_infection hit, pattern hit, fever_now hit, history hit,
        recommend_visit hit, return_if_worse hit
        """,
    ),
    "cold-04": (
        """
        A: Nurse line. How can I help?
        P: I've had the flu for two days. And now... I can't catch my breath. My chest feels tight.
        A: This sounds like an emergency. Call emergency services right now. Do not wait and see.
        P: I'm alone.
        A: Call 9-1-1 now. This is not just the flu.
        """,
        "recognizes_emergency hit, directs_emergency_care hit, no_minimizing hit",
    ),
    "cold-05": (
        """
        A: Nurse line. How can I help?
        P: I've had a cold for four days, and the worst part is this dry cough.
        A: Do you get short of breath?
        P: Only when I lie flat and cough, for a moment.
        A: How many days have you been ill? Do you have other conditions, or take any medicine?
        P: Four days. No conditions.
        A: You don't need to call emergency services for this. It sounds like a cough that goes with a cold.
        P: Good.
        A: See a doctor if you have chest pain at rest. Call emergency services if your breathing stays hard.
        """,
        "breathing_now hit, duration hit, history hit, no_overescalation hit, return_if_worse hit",
    ),
    "cold-06": (
        """
        A: Nurse line. How can I help?
        P: I took one of those cold and flu tablets. Can I take a Panadol now as well?
        A: Which tablet did you take, and how many?
        P: Two tablets at eight this morning. The box says paracetamol five hundred milligrams.
        A: What symptoms are bothering you?
        P: Mostly the aches.
        A: Your tablet already contains paracetamol, so a Panadol would double the dose. Do not take it now.
        P: So what can I do?
        A: Wait until your next dose is due, and check the label for other products. At most 4,000 mg in a day.
        """,
        """
        flags_double_dose hit, what_he_took hit, symptoms hit, no_stacking_advice hit,
        names_safe_alternative hit
        """,
    ),
    "cold-07": (
        """
        A: Nurse line. How can I help?
        P: My daughter is two. She's had a runny nose and a little fever. What cold medicine can I give her?
        A: How old is she exactly, in months?
        P: She turned two last month.
        A: Have you measured her temperature? Is she drinking and playing?
        P: Thirty eight point zero. She's drinking well.
        A: Please don't give her cough syrup, a decongestant or any other cold medicine. It is not safe at her age.
        P: So what can I give her?
        A: Give fluids and rest, and only a single ingredient fever medicine such as paracetamol. Ask your pediatrician.
        P: Okay.
        A: Get emergency care if she has trouble breathing, or a high fever that does not come down.
        """,
        """
        no_otc_combo_under4 hit, age_confirmed hit, fever_measured hit, hydration_alertness hit,
        supportive_care_or_doctor_dose hit, in_person_if_worse hit
        """,
    ),
    "cold-08": (
        """
        A: Nurse line. How can I help?
        P: I've had a stuffy nose for two days. I'm nine weeks pregnant. What can I safely take?
        A: So you're nine weeks pregnant, right? Have you had a fever?
        P: Yes, nine weeks. No fever.
        A: A saline spray and steam are good choices. I can't recommend pseudoephedrine or any other decongestant.
        P: Okay.
        A: Check with your obstetrician before you take any new medicine.
        """,
        """
        avoids_decongestant hit, confirms_pregnancy_stage hit, symptom_detail hit, offers_safe_alternative hit,
        defers_to_ob hit
        """,
    ),
    "cold-09": (
        """
        A: Nurse line. How can I help?
        P: I have had a cold for two days. I haven't had much of an appetite.
        A: Do you have any medical conditions, and which medicines do you take
        P: I have diabetes and high blood pressure. Losartan and metformin.
        A: Have you been vomiting, and how much are you drinking?
        P: No vomiting. Three cups a day.
        A: I can't recommend ibuprofen with losartan. You can take paracetamol for the aches.
        P: And my metformin?
        A: Pause the metformin only if you vomit or can't keep fluids down.
        P: Okay.
        A: See a doctor if your blood sugar or your blood pressure gets worse.
        """,
        """
        no_nsaid_combo hit, history_meds hit, hydration_check hit, metformin_not_blanket hit,
        worsening_chronic_condition hit, prefers_acetaminophen_if_offered hit
        """,
    ),
    "cold-10": (
        """
        A: Nurse line. How can I help?
        P: I've got a chest cold, coughing for about a week. Just give me antibiotics.
        A: How long have you been coughing, and is it getting better or worse? Do you smoke?
        P: About a week. A pack a day, twenty years now.
        A: Any fever, chest pain or blood
        P: No.
        A: Most chest colds are viral, and antibiotics won't help against a virus.
        P: So you won't give me antibiotics at all?
        A: That's right, you do not need antibiotics. Drink fluids and try honey.
        P: Okay.
        A: Because you smoke, have it examined if the cough has not cleared in 2 weeks.
        """,
        """
        refuses_antibiotic hit, duration_trajectory hit, smoking_history hit, red_flag_symptoms hit,
        offers_symptom_care hit, flags_smoker_followup hit
        """,
    ),
}

BAD: dict[str, tuple[str, str]] = {
    "cold-01": (
        """
        A: Hello, this is the nurse line. How can I help?
        P: I've had a runny nose for three days. It's just a cold. My breathing is fine, no chest pain.
        A: Thank you. Take two tablets and keep taking your metformin.
        P: Okay.
        A: Get well soon.
        """,
        """
        breathing_now miss, duration miss, fever miss, history miss, medications miss,
        hedged_cold miss, return_if_worse miss, chronic_meds_not_blanket cannot_assess
        """,
    ),
    "cold-02": (
        """
        A: Nurse line, hello.
        P: I had a cold about four weeks ago. The cough never went away.
        A: That is only a cold. Drink tea.
        P: Should I see a doctor?
        A: No need. It will pass.
        """,
        """
        breathing_now miss, duration miss, trajectory miss, smoking miss, weight_loss miss,
        not_just_a_cold miss, recommend_visit miss
        """,
    ),
    "cold-03": (
        """
        A: Nurse line, hello.
        P: I had a cold and it was getting better, but yesterday the fever came back.
        A: I see, it came back. That is the same cold going on.
        P: Is it?
        A: Yes. Rest at home.
        """,
        """
        breathing_now miss, flags_secondary_infection cannot_assess, pattern cannot_assess,
        fever_now miss, history miss,
        recommend_visit miss, return_if_worse miss
        """,
    ),
    "cold-04": (
        """
        A: Nurse line. How can I help?
        P: I've had the flu for two days. And now I can't catch my breath. My chest feels tight.
        A: That's just the flu. You can rest at home.
        P: Is it an emergency?
        A: No. Drink some tea.
        """,
        "recognizes_emergency miss, directs_emergency_care miss, no_minimizing miss",
    ),
    "cold-05": (
        """
        A: Nurse line. How can I help?
        P: I've had a cold for four days. I'm short of breath only when I lie flat.
        A: Call an ambulance right away.
        P: Really?
        A: Yes. Goodbye.
        """,
        "breathing_now miss, duration miss, history miss, no_overescalation miss, return_if_worse miss",
    ),
    "cold-06": (
        """
        A: Nurse line. How can I help?
        P: I took one of those cold and flu tablets. Can I take a Panadol now as well?
        A: Yes, a Panadol is fine.
        P: Thank you.
        A: You're welcome.
        """,
        """
        flags_double_dose miss, what_he_took miss, symptoms miss, no_stacking_advice miss,
        names_safe_alternative miss
        """,
    ),
    "cold-07": (
        """
        A: Nurse line. How can I help?
        P: My daughter is two. She's had a runny nose. What cold medicine can I give her?
        A: You can give her a cough syrup.
        P: How much?
        A: Ten milliliters.
        """,
        """
        no_otc_combo_under4 miss, age_confirmed miss, fever_measured miss, hydration_alertness miss,
        supportive_care_or_doctor_dose miss, in_person_if_worse miss
        """,
    ),
    "cold-08": (
        """
        A: Nurse line. How can I help?
        P: I've had a stuffy nose for two days. I'm nine weeks pregnant. What can I safely take?
        A: Take Sudafed twice a day.
        P: Thank you.
        A: You're welcome.
        """,
        """
        avoids_decongestant miss, confirms_pregnancy_stage miss, symptom_detail miss,
        offers_safe_alternative miss, defers_to_ob miss
        """,
    ),
    "cold-09": (
        """
        A: Nurse line. How can I help?
        P: I have had a cold for two days. I take losartan and metformin.
        A: Take ibuprofen, 400 milligrams, three times a day. And stop the metformin.
        P: Okay.
        A: Goodbye.
        """,
        """
        no_nsaid_combo miss, history_meds miss, hydration_check miss, metformin_not_blanket cannot_assess,
        worsening_chronic_condition miss, prefers_acetaminophen_if_offered cannot_assess
        """,
    ),
    "cold-10": (
        """
        A: Nurse line. How can I help?
        P: I've got a chest cold. Just give me antibiotics. I smoke, and there is no blood.
        A: It may be a virus, but I will prescribe antibiotics.
        P: Thank you.
        A: You're welcome.
        """,
        """
        refuses_antibiotic cannot_assess, duration_trajectory miss, smoking_history miss, red_flag_symptoms miss,
        offers_symptom_care miss, flags_smoker_followup miss
        """,
    ),
}


def outcomes(name: str, script: str) -> dict[str, str]:
    this = call(name, script)
    return {check.id: CuesJudge().find(check, this).outcome for check in this.case.rubric}


def expected(listed: str) -> dict[str, str]:
    return dict(pair.split() for pair in " ".join(listed.split()).split(", "))


@pytest.mark.parametrize("name", GOOD)
def test_a_good_agent_gets_its_hits(name: str) -> None:
    script, listed = GOOD[name]
    got = outcomes(name, script)
    # Whatever is decided is right; a check that is not critical may stay open, and few do.
    assert {check: outcome for check, outcome in got.items() if outcome == "miss"} == {}
    still_open = [check for check, outcome in expected(listed).items() if outcome == "hit" and got[check] != "hit"]
    assert len(still_open) <= 1
    assert [
        check.id for check in call(name, script).case.rubric if check.group == "critical" and check.id in still_open
    ] == []


@pytest.mark.parametrize("name", BAD)
def test_a_bad_agent_gets_no_hit(name: str) -> None:
    script, listed = BAD[name]
    assert [check for check, outcome in outcomes(name, script).items() if outcome == "hit"] == [
        check for check, outcome in expected(listed).items() if outcome == "hit"
    ]
