"""Whether mutants give and leave behind what the reference does, call by call."""

import mmap
from functools import partial
from typing import Any

from mutate_fork import watch  # type: ignore[import-not-found]
from mutate_run import ASLEEP, Run  # type: ignore[import-not-found]
from mutate_switch import CannotSwitchError, codes_of, found  # type: ignore[import-not-found]
from mutate_witness import Witness  # type: ignore[import-not-found]


class Compare(Run):  # type: ignore[misc]
    """Mutants beside the reference, call by call."""

    def all_switched(self, session: "Any", mutants: "list[Any]", pipe: int) -> None:
        """In the collected process: the reference twice, and the mutant."""
        functions, contexts = self.ready(mutants)
        for mutant in mutants:
            place = self.path(mutant["file"]), contexts[mutant["file"]]
            differs = None
            try:
                puts = found(mutant, *place, functions)
            except CannotSwitchError:
                pass
            else:
                differs = self.differs(session, mutant, puts, codes_of(mutant["unit"], *place))
            self.emit(n=mutant["n"], failed=[], broken="", differs=differs)

    def differs(self, session: "Any", mutant: "Any", puts: "Any", codes: "Any") -> "bool | None":
        """Whether a mutant gave or left behind something else; None where that can't be seen."""

        def work(board: "Any", puts: "Any" = (), codes: "Any" = codes[0]) -> bytes:
            self.switch(puts)
            witness = Witness(codes)
            witness.start()
            session.run(board.names, board.say)
            return bytes(witness.stop())

        names = [self.plan["tests"][number] for number in mutant["tests"]]
        plain, again = (self.witnessed(names, work) for _ in range(2))
        changed = self.witnessed(names, partial(work, puts=puts, codes=codes[1]))
        if plain != again or b"" in (plain, changed):
            return None
        if plain != changed:
            return True
        return False if plain.endswith(b"+") else None

    def witnessed(self, names: "list[str]", work: "Any") -> bytes:
        """What a run in a process of its own saw; empty where it didn't come to its end."""
        told = mmap.mmap(-1, 34)
        watch(names, lambda board: told.write(b"+" + work(board)), self.wall, ASLEEP)
        return bytes(told[:]) if told[0] else b""
