"""`benchwright model`."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

model = App(name="model", help="A model that plays a script, to try agents and tasks offline.")


@model.command
def serve(script: Path, *, host: str = "127.0.0.1", port: int = 8399) -> int:
    """Serve a scripted model until interrupted.

    It speaks Anthropic Messages, OpenAI Responses and Chat Completions. Point agents at it with
    ANTHROPIC_BASE_URL or OPENAI_BASE_URL, and any key.

    Parameters
    ----------
    script
        YAML file that says, turn by turn, what the model does.
    host
        Address to listen on.
    port
        Port to listen on; 0 for any that is free.
    """
    import threading

    from benchwright.formats import ExitCode, InputError
    from benchwright.gateway.scripted import Script, ScriptedModel

    from .output import console

    playing = ScriptedModel(Script.load(script))
    try:
        with playing.serve(host, port) as url:
            console().print(f"{script} at {url} (stop with Ctrl-C)")
            threading.Event().wait()
    except KeyboardInterrupt:
        console().print(f"{len(playing.played)} calls answered")
    except OSError as error:
        raise InputError(f"{host}:{port}: can't be listened on: {error.strerror}") from None
    return ExitCode.DONE
