"""Whether the search tables, the stored files and the queue say the same; for benches and tests.

    python bench/consistency.py            # of the data folder in SVOD_DATA, or of DATABASE_URL

Words are recomputed from the chunks and compared with the segments in both directions; the other
checks are listed beside their names below. Each finding is counted; all are 0 where all is well.
"""

import asyncio
import os
import sys
import time
from pathlib import Path

import psycopg

from svod.foundation.settings import read_settings
from svod.foundation.storage import Blobs, open_database
from svod.foundation.storage.embedded import EmbeddedPostgres

COUNTS = {
    "items without all their chunks": """
        select i.item_id from item i where i.status = 'ready' and i.serving_version is not null
          and exists (select from item_version v where v.workspace_id = i.workspace_id
            and v.item_id = i.item_id and v.version = i.serving_version and v.characters > 0)
          and not exists (select from chunk c where c.workspace_id = i.workspace_id
            and c.item_id = i.item_id and c.version = i.serving_version)""",
    "chunks without an item": """
        select c.ordinal from chunk c left join item i using (workspace_id, item_id)
        where i.item_id is null""",
    "chunks of another version": """
        select c.ordinal from chunk c join item i using (workspace_id, item_id)
        where c.version is distinct from i.serving_version""",
    "chunks that are there twice": """
        select 1 from chunk group by workspace_id, item_id, version, layer, part having count(*) > 1""",
    "vectors without a chunk": """
        select v.ordinal from chunk_vector v left join chunk c
          using (workspace_id, namespace_id, ordinal) where c.ordinal is null""",
    "chunks without their vector": """
        select c.ordinal from chunk c
        join item i using (workspace_id, item_id)
        join model_card m on m.workspace_id = c.workspace_id and m.serving
        left join chunk_vector v on v.workspace_id = c.workspace_id and v.namespace_id = c.namespace_id
          and v.card_id = m.card_id and v.ordinal = c.ordinal
        where v.ordinal is null and i.meaning_ready >= 1""",
    "words of chunks not in segments": """
        select c.workspace_id, c.namespace_id, c.layer, t.term, c.ordinal
        from chunk c cross join unnest(c.terms) t(term)
        except
        select s.workspace_id, s.namespace_id, s.layer, s.term, o.ordinal
        from term_segment s cross join unnest(s.ordinals) o(ordinal)""",
    "words in segments not of chunks": """
        select s.workspace_id, s.namespace_id, s.layer, s.term, o.ordinal
        from term_segment s cross join unnest(s.ordinals) o(ordinal)
        except
        select c.workspace_id, c.namespace_id, c.layer, t.term, c.ordinal
        from chunk c cross join unnest(c.terms) t(term)""",
    "places twice in a segment, or in another's": """
        select 1 from term_segment s cross join unnest(s.ordinals) o(ordinal)
        group by s.workspace_id, s.namespace_id, s.layer, s.term, o.ordinal
        having count(*) > 1 or bool_or(o.ordinal / 4096 <> s.segment)""",
    "segments of unequal arrays": """
        select 1 from term_segment where cardinality(ordinals) <> cardinality(weights)""",
    "namespaces that count wrongly": """
        select n.namespace_id from namespace n where n.live <> (select count(*) from chunk c
          where c.workspace_id = n.workspace_id and c.namespace_id = n.namespace_id)""",
    "stored files that nothing points at": """
        select b.blob_key from blob b where not exists (select from item_version v
          where v.workspace_id = b.workspace_id and v.blob_key = b.blob_key)""",
    "versions whose file is unknown": """
        select v.item_id from item_version v where v.blob_key is not null and not exists (
          select from blob b where b.workspace_id = v.workspace_id and b.blob_key = v.blob_key)""",
    "splits left behind": """
        select s.item_id from item_split s join item i using (workspace_id, item_id)
        where i.status = 'ready' and i.meaning_ready >= 1""",
    "jobs buried": "select id from procrastinate_jobs where status = 'failed'",
}


def inconsistencies(dsn: str, blobs: Path) -> dict[str, int]:
    """What does not fit, counted; of a server that has nothing more to do.

    Files without a row are what a crash may leave: they are made old here, and swept as the server
    would after an hour; what then differs between disk and database is counted.
    """
    found: dict[str, int] = {}
    with psycopg.connect(dsn, autocommit=True) as connection:
        for name, query in COUNTS.items():
            found[name] = len(connection.execute(query).fetchall())  # pyright: ignore[reportArgumentType]
        asyncio.run(_sweep(dsn, blobs))
        known = {
            f"{workspace_id}/{key[:2]}/{key}"
            for workspace_id, key in connection.execute(
                "select workspace_id, encode(blob_key, 'hex') from blob"
            ).fetchall()
        }
    there = {str(path.relative_to(blobs)) for path in blobs.rglob("*") if path.is_file()}
    found["files on the disk without a row"] = len(there - known)
    found["rows without a file on the disk"] = len(known - there)
    return found


def waiting_jobs(dsn: str) -> list[str]:
    """The jobs that wait or run, housekeeping of later apart; told as they lie in the queue."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        rows = connection.execute(
            "select format('%s job %s %s, attempts %s, due in %s s, locked by %s, worker heard %s s ago',"
            " task_name, j.id, status, attempts, extract(epoch from scheduled_at - now())::int, lock,"
            " extract(epoch from now() - w.last_heartbeat)::int)"
            " from procrastinate_jobs j left join procrastinate_workers w on w.id = j.worker_id"
            " where status in ('todo', 'doing') and queue_name in ('ingest', 'embed')"
        ).fetchall()
    return [str(told) for (told,) in rows]


async def _sweep(dsn: str, blobs: Path) -> None:
    past = time.time() - 7200
    for path in blobs.rglob("*"):  # noqa: ASYNC240 - nothing else runs here
        if path.is_file():
            os.utime(path, (past, past))
    database = await open_database(dsn, connections=4)
    await Blobs(blobs).sweep(database)
    await database.close()


def main() -> int:
    """Check one server; 0 when all is well."""
    settings = read_settings()
    server = EmbeddedPostgres(settings.data)
    dsn = settings.database_url.get_secret_value() if settings.database_url else server.start().dsn
    try:
        found = inconsistencies(dsn, settings.data / "blobs")
    finally:
        server.stop()
    for name, count in found.items():
        print(f"{count:6} {name}")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
