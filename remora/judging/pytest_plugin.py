"""The plugin for pytest, in its former place."""

from remora.gate.pytest_plugin import *  # noqa: F403
