"""A person adds a page by its address and asks about it."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from running import Machine, wait_for

pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(300)]

PAGE = {
    "en": ("Bicycle hire", "A bicycle can be hired for 14 days at most."),
    "ru": ("Прокат велосипедов", "Взять велосипед можно не больше чем на 14 дней."),
}
QUESTION = {
    "en": "For how many days can a bicycle be hired?",
    "ru": "На сколько дней можно взять велосипед?",
}


@contextmanager
def a_site(pages: dict[str, bytes]) -> Generator[str]:
    """Pages on loopback, in a thread; what is not there answers 404."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path)
            self.send_response(200 if page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page or b"-")

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.spec("K13", "K17", "K35", "X11", "N-62")
def test_a_page_is_added_answered_from_and_kept_up_to_date(machine: Machine) -> None:
    machine.extra["SVOD_FETCH_ALLOW"] = "127.0.0.0/8"
    pages = {
        f"/{lang}": f"<html><title>{title}</title><body><p>{text}</p></body></html>".encode()
        for lang, (title, text) in PAGE.items()
    }
    with a_site(pages) as site:
        machine.up()
        done = machine("add", f"{site}/en", f"{site}/ru", f"{site}/none", "--wait", "--json")
        assert done.code == 1, done.err
        assert "http_status" in done.out
        with machine.client() as client:
            for lang in PAGE:
                answer = client.ask(QUESTION[lang])
                assert answer.answered, answer
                assert answer.citations[0].title == PAGE[lang][0]
            links = {item.url: item for item in client.items(kind="link").items}
            item = links[f"{site}/en"]
            assert item.fetched_at is not None
            pages["/en"] = pages["/en"].replace(b"14 days", b"21 days")
            client.refresh(item.item_id)
            wait_for(
                lambda: str(client.item(item.item_id)),
                lambda: client.item(item.item_id).serving_version == 2,
            )
            assert "21 days" in client.ask(QUESTION["en"]).answer
            refused = machine("add", "http://169.254.169.254/latest/meta-data/")
            assert refused.code == 1
            assert "no public site" in refused.err
