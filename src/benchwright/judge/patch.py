"""A submitted patch, applied to a tree of ours inside a sandbox.

The ways of applying, and their order, are those of the official SWE-bench harness (5.0.2); between
two tries the tree is what it was. No configuration, attribute or hook of the tree is obeyed: the
repository that git works with is outside it and made for this one use.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchwright.formats import Record, SandboxError, Snapshot, StorageError, boundary, printable
from benchwright.sandbox import Caps, Mount, Sandbox, Spec, unpack_tar

WAYS = {
    10: "git apply",
    11: "git apply --3way",
    12: "git apply --reject",
    13: "patch --fuzz=5",
    14: "already applied",
}
NONE_FITS = 20
LIMIT = 64 << 20
"""Bytes of a patch at most."""
TREE = 1 << 30
"""Bytes of the patched tree at most; it leaves the box as an archive, so that nothing a patch
unpacks to lands on this machine's disk before it is bounded."""
SCRIPT = r"""set -u
cd /work
quiet() { "$@" >>/tmp/log 2>&1; }
quiet git init || exit 3
mkdir -p $GIT_DIR/info
echo '* -text -eol -filter -ident -working-tree-encoding -diff' > $GIT_DIR/info/attributes
quiet git add --all --force . && quiet git commit --allow-empty --message base || exit 3
try() {
    code=$1; shift
    : >/tmp/said
    "$@" >/tmp/said 2>&1 && { rm -rf .git; tar -cf - . || exit 3; exit "$code"; }
    cat /tmp/said >>/tmp/why
    quiet git reset --hard && quiet git clean -ffdx
}
try 10 git apply --verbose /tmp/patch.diff
try 11 git apply --verbose --3way /tmp/patch.diff
try 12 git apply --verbose --reject /tmp/patch.diff
command -v patch >/dev/null &&
    try 13 patch --batch --forward --no-backup-if-mismatch --fuzz=5 -p1 -i /tmp/patch.diff
try 14 git apply --check --reverse /tmp/patch.diff
grep -m 3 '^error:' /tmp/why >&2 || head -n 3 /tmp/why >&2
exit 20
"""
ENV = {
    "GIT_DIR": "/tmp/repo",  # noqa: S108 - a path inside the box
    "GIT_WORK_TREE": "/work",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "judge",
    "GIT_AUTHOR_EMAIL": "judge@localhost",
    "GIT_COMMITTER_NAME": "judge",
    "GIT_COMMITTER_EMAIL": "judge@localhost",
    "GIT_TEMPLATE_DIR": "",
}


class Applied(Record):
    """How a patch was applied."""

    how: str
    """One of the documented ways; empty when none fits."""
    why: str = ""
    """Why none fits, in one line."""
    snapshot: Snapshot | None = None
    """The patched tree, frozen."""

    def __bool__(self) -> bool:
        """Whether the patched tree is there."""
        return bool(self.how)


def apply_patch(tree: Path, patch: bytes, dest: Path, sandbox: Sandbox) -> Applied:
    """Write `tree` with `patch` applied to the new folder `dest`, if it can be applied.

    A missing newline at the patch's end is put there: editors and models lose it.

    Raises:
        SandboxError: the box or git didn't start.
    """
    if len(patch) > LIMIT:
        return Applied(how="", why=f"larger than {LIMIT >> 20} MiB")
    if not patch.endswith(b"\n"):
        patch += b"\n"
    mounts = (
        Mount("/work", "overlay", tree, size=TREE),
        Mount("/tmp/patch.diff", "data", content=patch),  # noqa: S108
    )
    caps = Caps(wall_seconds=300, memory=6 << 30, scratch=2 << 30, output=TREE + (64 << 20))
    done = sandbox.run(Spec(("/bin/sh", "-c", SCRIPT), mounts, ENV, "/work", caps))
    if done.end != "exited" or done.truncated:
        return Applied(how="", why=f"applying it was ended: {done.end} limit")
    if done.exit_code == NONE_FITS:
        why = done.stderr.decode(errors="replace").strip().replace("\n", "; ")
        return Applied(how="", why=printable(why, 300))
    if done.exit_code not in WAYS:
        raise SandboxError(f"git can't be used in a sandbox: exit code {done.exit_code}")
    with (
        boundary(StorageError, "the patched tree can't be stored"),
        tempfile.NamedTemporaryFile(prefix="benchwright-", suffix=".tar") as archive,
    ):
        archive.write(done.stdout)
        archive.flush()
        snapshot = unpack_tar(Path(archive.name), dest)
    if snapshot.unusable:
        return Applied(how="", why=snapshot.unusable)
    return Applied(how=WAYS[done.exit_code], snapshot=snapshot)
