"""Controls: edits of hidden Python tests that make one check wrong.

`candidates` reads the tests and runs nothing; which candidates hold is found by trying them on the
reference. Every edit keeps the number of lines, so that a failure's line means the same in each
round.
"""

from .generate import candidates

__all__ = ["candidates"]
