from benchwright.formats.schemas import PUBLISHED, models, schema


def test_the_published_schemas_are_current() -> None:
    published = {path.stem: path.read_text() for path in PUBLISHED.glob("*.json")}

    assert published == {name: schema(model) for name, model in models().items()}


def test_what_we_write_most_is_among_them() -> None:
    assert {"task-1", "verdict-1", "result-1", "job-1", "evidence-1", "event-1"} <= set(models())
