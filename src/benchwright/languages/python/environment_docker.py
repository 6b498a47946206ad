"""The same environment as an image: the locked packages in `/env`, what is denied taken out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchwright.formats import Lock, Recipe, RecipeError

from .environment import applicable

TEXT = """\
# Made from recipe.toml and recipe.lock; not edited by hand.
FROM python:{version}-slim
{system}WORKDIR /app
COPY <<"EOF" /tmp/requirements.txt
{requirements}
EOF
RUN python -m venv --without-pip /env \\
 && python -m pip --python /env/bin/python install --no-cache-dir --no-deps --require-hashes \\
    -r /tmp/requirements.txt \\
 && rm -rf /tmp/requirements.txt {library}/site-packages/* {library}/ensurepip{denied}
ENV PATH=/env/bin:$PATH VIRTUAL_ENV=/env
"""
PACKAGE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9.+_-]*")


def dockerfile(recipe: Recipe, lock: Lock) -> str:
    """The text of the Dockerfile.

    Raises:
        RecipeError: the recipe holds a name that can't be a package's.
    """
    system = " ".join(_plain(recipe.system))
    install = "apt-get install -y --no-install-recommends"
    library = f"/usr/local/lib/python{recipe.version}"
    return TEXT.format(
        version="".join(_plain([recipe.version])),
        library=library,
        system=f"RUN apt-get update && {install} {system} && rm -rf /var/lib/apt/lists/*\n"
        if system
        else "",
        requirements="\n".join(
            " ".join([f"{p.name}=={p.version}", *(f"--hash={h}" for h in p.hashes)])
            for p in applicable(lock.packages, recipe.version)
        ),
        denied="".join(
            f" \\\n && rm -rf {library}/{name} {library}/{name}.py"
            f" \\\n && find /env -depth -path '*vendor*/{name}*' -exec rm -rf {{}} +"
            for name in sorted({n.replace("-", "_") for n in _plain(recipe.denied)})
        ),
    )


def _plain(names: Iterable[str]) -> list[str]:
    """The names, which a shell will read."""
    for name in names:
        if not PACKAGE.fullmatch(name):
            raise RecipeError(f"{name!a}: not a package's name")
    return list(names)
