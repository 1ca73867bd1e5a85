"""Hypothesis keeps no examples from one run to the next; what tests of wrong arguments share."""

import re

import hypothesis
import pytest

hypothesis.settings.register_profile("lanesum", database=None, deadline=None)
hypothesis.settings.load_profile("lanesum")


def refused(error, text, call):
    """`call` raises `error`, whose text, or a note of it, begins with `text`."""
    with pytest.raises(error) as info:
        call()
    said = [str(info.value), *getattr(info.value, "__notes__", [])]
    assert any(re.match(text, line) for line in said), said
