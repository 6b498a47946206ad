"""What everybody in the Python ecosystem knows and no metadata says. No project's own case."""

from __future__ import annotations

from packaging.utils import canonicalize_name

TWINS = {
    "backports-zoneinfo": ("zoneinfo",),
    "graphlib-backport": ("graphlib",),
    "tomli": ("tomllib",),
}
"""Distribution -> modules of the standard library that are the same thing by another name, and that
neither the interpreter nor the runner needs.
"""
ALIASES = {
    "bs4": "beautifulsoup4",
    "Crypto": "pycryptodome",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "dns": "dnspython",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "fitz": "pymupdf",
    "git": "gitpython",
    "google.protobuf": "protobuf",
    "jose": "python-jose",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "markdown": "markdown",
    "mpl_toolkits": "matplotlib",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "pkg_resources": "setuptools<81",
    "distutils": "setuptools",
    "psycopg2": "psycopg2-binary",
    "pyximport": "cython",
    "ruamel": "ruamel-yaml",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "socks": "pysocks",
    "usb": "pyusb",
    "win32api": "pywin32",
    "wx": "wxpython",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
"""Import name -> requirement, where the two differ."""

FIXTURES = {
    "aiohttp_client": "pytest-aiohttp",
    "anyio_backend": "anyio",
    "benchmark": "pytest-benchmark",
    "celery_app": "celery",
    "data_regression": "pytest-regressions",
    "datadir": "pytest-datadir",
    "faker": "faker",
    "file_regression": "pytest-regressions",
    "freezer": "pytest-freezer",
    "fs": "pyfakefs",
    "httpbin": "pytest-httpbin",
    "httpserver": "pytest-httpserver",
    "httpx_mock": "pytest-httpx",
    "lazy_shared_datadir": "pytest-datadir",
    "mocker": "pytest-mock",
    "num_regression": "pytest-regressions",
    "original_datadir": "pytest-datadir",
    "requests_mock": "requests-mock",
    "respx_mock": "respx",
    "shared_datadir": "pytest-datadir",
    "snapshot": "syrupy",
    "subtests": "pytest-subtests",
    "testdir": "",
    "time_machine": "time-machine",
    "tornado_app": "pytest-tornado",
    "vcr": "pytest-recording",
}
"""Fixture -> distribution that brings it (the empty one: the runner itself)."""

MARKERS = {
    "anyio": "anyio",
    "asyncio": "pytest-asyncio",
    "datafiles": "pytest-datafiles",
    "dependency": "pytest-dependency",
    "django_db": "pytest-django",
    "freeze_time": "pytest-freezer",
    "gen_test": "pytest-tornado",
    "repeat": "pytest-repeat",
    "trio": "pytest-trio",
    "twisted": "pytest-twisted",
    "vcr": "pytest-recording",
}
"""Marker that changes how a test runs -> distribution that brings it."""

UNWANTED = {
    canonicalize_name(name)
    for name in (
        "pytest-cov", "pytest-xdist", "pytest-timeout", "pytest-rerunfailures", "pytest-randomly",
        "pytest-random-order", "pytest-sugar", "pytest-html", "pytest-mypy", "pytest-pycodestyle",
        "pytest-pydocstyle", "pytest-flake8", "pytest-flakes", "pytest-black", "pytest-ruff",
        "pytest-isort", "pytest-pylint", "pytest-pep8", "pytest-codspeed", "pytest-profiling",
        "pytest-instafail", "pytest-checkdocs", "pytest-enabler", "pytest-travis-fold",
        "pytest-github-actions-annotate-failures", "pytest-json-report", "pytest-reportlog",
        "pytest-memray", "pytest-retry", "pytest-forked", "pytest-parallel", "pytest-split",
        "pytest-watch", "pytest-testmon", "pytest-metadata", "pytest-cover", "pytest-coverage",
        "pytest-pretty", "pytest-clarity", "pytest-icdiff", "pytest-picked", "pytest-mypy-plugins",
        "pytest-perf", "pytest-run-parallel", "pytest-socket", "pytest-doctestplus-none",
        "pytest-ignore-flaky", "flaky", "nox", "tox",
    )
}  # fmt: skip
"""Plugins that stop, rerun, select, spread, time or report tests, or check style: never loaded."""

TEST_WORDS = ("test", "tests", "testing", "dev", "develop", "development", "check", "ci", "all")
"""Names of extras, groups and files that may list what tests need, best first."""

RELEASED = {
    "3.8": "2019-10-14", "3.9": "2020-10-05", "3.10": "2021-10-04", "3.11": "2022-10-24",
    "3.12": "2023-10-02", "3.13": "2024-10-07", "3.14": "2025-10-07",
}  # fmt: skip
"""When an interpreter came out: what is older knows nothing of it."""

PREFERRED = ("3.11", "3.12", "3.10", "3.13", "3.9", "3.8", "3.14")
"""Interpreter versions, the one that is taken first first."""

NATIVE_BACKENDS = ("maturin", "scikit_build_core", "mesonpy", "setuptools_rust", "sipbuild")
"""Build backends that exist to compile."""
