"""Whether mutants give and leave behind what the reference does, call by call."""

import mmap
from functools import partial
from typing import Any

from mutate_fork import watch  # type: ignore[import-not-found]
from mutate_run import Run  # type: ignore[import-not-found]
from mutate_session import confine  # type: ignore[import-not-found]
from mutate_switch import codes_of  # type: ignore[import-not-found]
from mutate_witness import Witness  # type: ignore[import-not-found]


class Compare(Run):  # type: ignore[misc]
    """Mutants beside the reference, call by call."""

    def all_switched(self, session: "Any", mutants: "list[Any]", pipe: int) -> None:
        """In the collected process: the reference twice, and the mutant."""
        functions, contexts = self.ready(mutants)
        for mutant in mutants:
            codes = codes_of(mutant["unit"], self.path(mutant["file"]), contexts[mutant["file"]])

            def work(board: "Any", m: "Any" = None, codes: "Any" = codes[0]) -> bytes:
                if m is None:
                    confine()
                else:
                    self.switch(m, contexts[m["file"]], functions, board)
                witness = Witness(codes)
                witness.start()
                session.run(board.names, board.say, None)
                return bytes(witness.stop())

            names = [self.plan["tests"][number] for number in mutant["tests"]]
            plain, again = (self.witnessed(names, work) for _ in range(2))
            changed = self.witnessed(names, partial(work, m=mutant, codes=codes[1]))
            sure = plain == again and b"" not in (plain, changed)
            differs = True if sure and plain != changed else None
            if sure and plain == changed and plain.endswith(b"+"):
                differs = False
            self.emit(n=mutant["n"], failed=[], broken="", differs=differs)

    def witnessed(self, names: "list[str]", work: "Any") -> bytes:
        """What a run in a process of its own saw; empty where it didn't come to its end."""
        told = mmap.mmap(-1, 34)
        watch(names, lambda board: told.write(b"+" + work(board)), self.wall)
        return bytes(told[:]) if told[0] else b""
