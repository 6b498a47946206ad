"""The commands `submit` and `check`: one POSIX script that talks through whatever is there.

Nothing is asked of the box but `/bin/sh`, `cat`, and one program that can open a connection: bash,
Python, Perl or nc. The trial's token stands in the script, since some agents clear the environment
of what they start.
"""

from __future__ import annotations

from pathlib import Path

from benchwright.formats import write_atomic

FOLDER = "/door"
"""Where the commands stand in a box."""
SCRIPT = r"""#!/bin/sh
# submit [TEXT]: ends the work; what stands in the workspace will be judged.
# check [KIND]: asks for a check of the work so far, where the task allows it.
text="$*"
request() {
    printf 'POST /%s HTTP/1.0\r\nAuthorization: Bearer TOKEN\r\nContent-Length: %d\r\n\r\n%s' \
        "${0##*/}" "$(printf %s "$text" | wc -c)" "$text"
}
talk() {
    if command -v bash >/dev/null 2>&1; then
        bash -c 'exec 3<>/dev/tcp/127.0.0.1/PORT && cat >&3 && cat <&3'
    elif python=$(command -v python3 || command -v /env/bin/python || command -v /python/bin/python)
    then
        "$python" -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", PORT)); s.sendall(sys.stdin.buffer.read())
while b := s.recv(65536): sys.stdout.buffer.write(b)'
    elif command -v perl >/dev/null 2>&1; then
        perl -MIO::Socket::INET -e 'undef $/;
$s = IO::Socket::INET->new("127.0.0.1:PORT") or die; print $s <STDIN>; print <$s>'
    else
        nc 127.0.0.1 PORT
    fi
}
request | talk | {
    read -r _ status _ || { echo "${0##*/}: no answer" >&2; exit 1; }
    while read -r line && [ "${#line}" -gt 1 ]; do :; done
    cat
    [ "$status" = 200 ]
}
"""


def write(folder: Path, port: int, token: str) -> None:
    """Make the folder that is mounted at `/door`."""
    script = SCRIPT.replace("PORT", str(port)).replace("TOKEN", token)
    for name in ("submit", "check"):
        write_atomic(folder / name, script.encode(), mode=0o755)
    folder.chmod(0o755)
