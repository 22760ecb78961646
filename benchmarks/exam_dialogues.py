"""Prints the conversations that the judges' exam starts from: the reference brain and the offline patient, in text.

    python benchmarks/exam_dialogues.py cold-01-andi

What it prints was read through, the sentences that prove a check were noted by hand, and it is kept in
voicesim/judge/exam/. The exam itself never runs this.
"""

import asyncio
import json
import sys

from voicesim.caller.mind import Memory, PatientLine, Said
from voicesim.caller.minds import make_mind
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case
from voicesim.reference_agents.brain import GREETING
from voicesim.reference_agents.nurse_line import NurseLineBrain

MOST_LINES = 40


async def conversation(case: Case) -> list[Said]:
    """Every line until one side is done."""
    brain, mind = NurseLineBrain(GREETING), make_mind("cues", case)
    line, done = PatientLine(case.patient.says_first), False
    memory = Memory([Said("agent", GREETING), Said("caller", line.text)])
    while len(memory.turns) < MOST_LINES and not (done or line.hang_up):
        reply = await brain.reply(line.text)
        done = reply.done
        memory.turns.append(Said("agent", reply.text))
        line = await mind.reply(reply.text, memory)
        memory.turns.append(Said("caller", line.text))
        memory.released.update(line.facts)
    return memory.turns


if __name__ == "__main__":
    for name in sys.argv[1:] or Catalogue.here().ids("case"):
        print(f"case: {name}\nsaid:")
        for turn in asyncio.run(conversation(Catalogue.here().case(name))):
            print(f"  - {json.dumps(('A: ' if turn.side == 'agent' else 'P: ') + turn.text)}")
