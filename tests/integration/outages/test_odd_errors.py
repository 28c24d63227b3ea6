"""An error's text is anybody's text: it ends one run, not the worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.integration.worker import work_all

if TYPE_CHECKING:
    from agents_app.adapters.models.scripted import Reply, View
    from tests.integration.outages.conftest import Bench

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("text", "kept"),
    [("\\u0000 in the file", "\\u0000 in the file"), ("a\0b", "a\ufffdb"), ("\ud800", "\ufffd")],
)
def test_i2_an_error_of_any_text_ends_the_run_and_is_kept(
    bench: Bench, text: str, kept: str
) -> None:
    def says(view: View) -> Reply:
        raise ValueError(text)

    bench.agent(says)
    session = bench.session()
    work_all()
    head = bench.head(session)
    assert head.state.status == "failed"
    assert head.state.error is not None
    assert head.state.error["message"].endswith(kept)
