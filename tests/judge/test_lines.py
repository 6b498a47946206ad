from benchwright.formats import edit
from benchwright.judge.lines import Span, original

SOURCE = b"one\ntwo\nthree\nfour\nfive\n"


def change(old: bytes, new: str) -> object:
    start = SOURCE.index(old)
    return edit("f", SOURCE, start, start + len(old), new)


def test_without_edits_a_line_is_itself() -> None:
    assert original(SOURCE, [], 3) == Span(3, 3)


def test_lines_after_a_longer_text_move() -> None:
    longer = change(b"two", "2\n2\n2")

    assert [original(SOURCE, [longer], n) for n in (1, 2, 3, 4, 5, 6)] == [
        Span(1, 1), Span(2, 2), Span(2, 2), Span(2, 2), Span(3, 3), Span(4, 4),
    ]  # fmt: skip


def test_lines_after_a_shorter_text_move_back() -> None:
    shorter = change(b"two\nthree", "23")
    longer = change(b"four", "4\n4")

    assert [original(SOURCE, [longer, shorter], n) for n in (1, 2, 3, 4, 5)] == [
        Span(1, 1), Span(2, 3), Span(4, 4), Span(4, 4), Span(5, 5),
    ]  # fmt: skip


def test_spans_meet_where_they_share_a_line() -> None:
    assert Span(2, 4).meets(Span(4, 9))
    assert not Span(2, 3).meets(Span(4, 9))
