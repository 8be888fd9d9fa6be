-- find_items
-- Items that the principal may read; what he may not is not found. may_send tells if he may change one.
select i.item_id, i.kind, i.sealed_title, i.sealed_external_id, i.status, i.stage, i.progress, i.meaning_ready, i.meaning_waits,
  i.failure_code, i.sealed_failure, i.version, i.serving_version, i.revision, i.origin, i.ingest, i.pinned,
  i.created_by, i.created_at, i.updated_at, l.kind level_kind, l.name level_name, n.clean_namespace,
  v.sealed_name, v.media_type, v.bytes size, v.characters, v.sealed_reading, g.may_send,
  array(select t.sealed_tag from item_tag t where t.workspace_id = i.workspace_id and t.item_id = i.item_id) sealed_tags,
  p.sealed_url, p.fetched_at, p.next_refresh_at, p.refresh_days, p.failed_days
from item i
join level_grant g on g.workspace_id = i.workspace_id and g.level_id = i.level_id
join level l on l.workspace_id = i.workspace_id and l.level_id = i.level_id
join namespace n on n.workspace_id = i.workspace_id and n.namespace_id = i.namespace_id
join item_version v on v.workspace_id = i.workspace_id and v.item_id = i.item_id and v.version = i.version
left join link p on p.workspace_id = i.workspace_id and p.item_id = i.item_id
where i.workspace_id = %(workspace_id)s and i.item_id = any(%(item_ids)s::bigint[])
  and g.principal_id = %(principal_id)s and g.may_read;

-- list_items
-- Newest change first; index item_by_time or, where a status is asked for, item_unfinished.
select i.item_id, i.kind, i.sealed_title, i.sealed_external_id, i.status, i.stage, i.progress, i.meaning_ready, i.meaning_waits,
  i.failure_code, i.sealed_failure, i.version, i.serving_version, i.revision, i.origin, i.ingest, i.pinned,
  i.created_by, i.created_at, i.updated_at, l.kind level_kind, l.name level_name, n.clean_namespace,
  v.sealed_name, v.media_type, v.bytes size, v.characters, v.sealed_reading, g.may_send,
  array(select t.sealed_tag from item_tag t where t.workspace_id = i.workspace_id and t.item_id = i.item_id) sealed_tags,
  p.sealed_url, p.fetched_at, p.next_refresh_at, p.refresh_days, p.failed_days
from item i
join level_grant g on g.workspace_id = i.workspace_id and g.level_id = i.level_id
join level l on l.workspace_id = i.workspace_id and l.level_id = i.level_id
join namespace n on n.workspace_id = i.workspace_id and n.namespace_id = i.namespace_id
join item_version v on v.workspace_id = i.workspace_id and v.item_id = i.item_id and v.version = i.version
left join link p on p.workspace_id = i.workspace_id and p.item_id = i.item_id
where i.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
  and (%(level_kind)s::text is null or (l.kind = %(level_kind)s and l.name = %(level_name)s))
  and (%(namespace)s::text is null or n.clean_namespace = %(namespace)s)
  and (%(kind)s::text is null or i.kind = %(kind)s)
  and (%(status)s::text is null or i.status = %(status)s)
  and (%(external_id_key)s::bytea is null or i.external_id_key = %(external_id_key)s)
  and (%(pinned)s::boolean is null or i.pinned = %(pinned)s)
  and (%(tag_key)s::bytea is null or exists (select from item_tag t
    where t.workspace_id = i.workspace_id and t.item_id = i.item_id and t.tag_key = %(tag_key)s))
  and (%(before)s::timestamptz is null or (i.updated_at, i.item_id) < (%(before)s, %(before_id)s))
order by i.updated_at desc, i.item_id desc
limit %(limit)s;

-- lock_keys
-- Those who would recognise the same thing wait for one another; sorted, so that they cannot deadlock.
select pg_advisory_xact_lock(k) from (select k from unnest(%(keys)s::bigint[]) u(k) order by k) sorted;

-- find_by_external_ids
select item_id, kind, version, content_key, external_id_key, namespace_id from item
where workspace_id = %(workspace_id)s and level_id = %(level_id)s and external_id_key = any(%(external_id_keys)s::bytea[]);

-- find_by_content
select item_id, kind, version, content_key, external_id_key, namespace_id from item
where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s and content_key = %(content_key)s and kind = %(kind)s
order by external_id_key nulls first, item_id limit 1;

-- find_by_name
select item_id, kind, version, content_key, external_id_key, namespace_id from item
where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s and name_key = %(name_key)s and external_id_key is null
order by item_id limit 1;

-- lock_twin
-- As it is once nobody else changes it; nothing if it was deleted meanwhile.
select item_id, kind, version, content_key, external_id_key, namespace_id from item
where workspace_id = %(workspace_id)s and item_id = %(item_id)s for update;

-- draw_item_numbers
-- Narrow numbers for the search tables; the counter's row is locked until the transaction ends. The last of them.
insert into counter (workspace_id, name, last) values (%(workspace_id)s, 'item', %(count)s)
on conflict (workspace_id, name) do update set last = counter.last + excluded.last
returning last;

-- insert_item
insert into item (workspace_id, item_id, item_no, level_id, namespace_id, kind, status, sealed_title, sealed_external_id,
  external_id_key, name_key, content_key, version, origin, ingest, pinned, created_by, created_at, updated_at)
values (%(workspace_id)s, %(item_id)s, %(item_no)s, %(level_id)s, %(namespace_id)s, %(kind)s, 'queued', %(sealed_title)s,
  %(sealed_external_id)s, %(external_id_key)s, %(name_key)s, %(content_key)s, 1, %(origin)s, %(ingest)s, %(pinned)s,
  %(created_by)s, %(now)s, %(now)s);

-- insert_version
insert into item_version (workspace_id, item_id, version, media_type, sealed_title, sealed_name, sealed_source, blob_key,
  bytes, content_key, sealed_split, own_title, created_by, created_at)
values (%(workspace_id)s, %(item_id)s, %(version)s, %(media_type)s, %(sealed_title)s, %(sealed_name)s, %(sealed_source)s,
  %(blob_key)s, %(size)s, %(content_key)s, %(sealed_split)s, %(own_title)s, %(created_by)s, %(now)s);

-- next_version
-- The serving version is left alone: it answers until the new one is complete (K16).
update item set version = version + 1, status = 'queued', stage = null, progress = 0, meaning_waits = null, failure_code = null, sealed_failure = null,
  sealed_title = %(sealed_title)s, name_key = %(name_key)s, content_key = %(content_key)s,
  revision = revision + 1, updated_at = %(now)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s
returning version;

-- raise_versions
-- As `next_version`, for several held items.
update item i set version = i.version + 1, status = 'queued', stage = null, progress = 0, meaning_waits = null, failure_code = null, sealed_failure = null,
  sealed_title = n.sealed_title, name_key = null, content_key = n.content_key, revision = i.revision + 1, updated_at = %(now)s
from unnest(%(item_ids)s::bigint[], %(sealed_titles)s::bytea[], %(content_keys)s::bytea[]) n(item_id, sealed_title, content_key)
where i.workspace_id = %(workspace_id)s and i.item_id = n.item_id;

-- set_external_id
update item set sealed_external_id = %(sealed_external_id)s, external_id_key = %(external_id_key)s,
  revision = revision + 1, updated_at = %(now)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- restore_version
-- Its text is read anew: what it is sealed about names the version.
insert into item_version (workspace_id, item_id, version, media_type, sealed_title, sealed_name, sealed_source, blob_key,
  bytes, content_key, sealed_split, own_title, restored_from, created_by, created_at)
select workspace_id, item_id, %(version)s, media_type, sealed_title, sealed_name, sealed_source, blob_key,
  bytes, content_key, sealed_split, own_title, %(restored)s, %(created_by)s, %(now)s
from item_version where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(restored)s;

-- set_split
update item_version set sealed_split = %(sealed_split)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s;

-- find_version
select version, media_type, sealed_title, sealed_name, sealed_source, blob_key, bytes size, content_key, sealed_split,
  sealed_text, characters, own_title, created_by, created_at
from item_version where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s;

-- newest_versions
-- What stays of held items where a new version does not say otherwise.
select v.item_id, v.sealed_title, v.sealed_split, v.own_title
from item i join item_version v on v.workspace_id = i.workspace_id and v.item_id = i.item_id and v.version = i.version
left join link p on p.workspace_id = i.workspace_id and p.item_id = i.item_id
where i.workspace_id = %(workspace_id)s and i.item_id = any(%(item_ids)s::bigint[]);

-- list_versions
-- Who made each is named to readers of his own workspace.
select v.version, v.media_type, v.sealed_title, v.sealed_name, v.bytes size, v.characters, v.restored_from, v.created_by,
  v.created_at, p.sealed_name sealed_maker
from item_version v
left join principal p on p.workspace_id = v.workspace_id and p.principal_id = v.created_by and %(named)s
where v.workspace_id = %(workspace_id)s and v.item_id = %(item_id)s order by v.version desc;

-- insert_blob
insert into blob (workspace_id, blob_key, bytes, created_at) values (%(workspace_id)s, %(blob_key)s, %(size)s, %(now)s)
on conflict do nothing;

-- find_known_bytes
-- A stored file that the principal can read through some item of his; a hash alone opens nothing.
select v.blob_key, v.bytes size from item_version v
join item i on i.workspace_id = v.workspace_id and i.item_id = v.item_id
join level_grant g on g.workspace_id = i.workspace_id and g.level_id = i.level_id
where v.workspace_id = %(workspace_id)s and v.content_key = %(content_key)s and v.blob_key is not null
  and g.principal_id = %(principal_id)s and g.may_read
limit 1;

-- check_files
-- For each file, in order: the item that holds just this already, and whether its bytes are known.
select f.position::int,
  coalesce(
    (select i.item_id from item i where i.workspace_id = %(workspace_id)s and i.level_id = %(level_id)s
       and i.external_id_key = f.external_id_key and i.content_key = f.content_key),
    (select i.item_id from item i where i.workspace_id = %(workspace_id)s and i.namespace_id = %(namespace_id)s
       and i.content_key = f.content_key and f.external_id_key is null and i.kind = 'file'
     order by i.item_id limit 1)) item_id,
  exists (select from item_version v
    join item i on i.workspace_id = v.workspace_id and i.item_id = v.item_id
    join level_grant g on g.workspace_id = i.workspace_id and g.level_id = i.level_id
    where v.workspace_id = %(workspace_id)s and v.content_key = f.content_key and v.blob_key is not null
      and g.principal_id = %(principal_id)s and g.may_read) known
from unnest(%(content_keys)s::bytea[], %(external_id_keys)s::bytea[]) with ordinality f(content_key, external_id_key, position)
order by f.position;

-- used_blobs
select blob_key from blob where workspace_id = %(workspace_id)s and blob_key = any(%(blob_keys)s::bytea[]);

-- begin_item
-- Takes up a queued item, or one whose worker died; nothing if it was superseded, deleted or cancelled.
update item set status = 'processing', stage = 'loaded', progress = 0
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s and status in ('queued', 'processing')
returning item_no, namespace_id, kind, sealed_title, serving_version;

-- is_wanted
select exists (select from item
  where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s and status = 'processing');

-- progress_item
update item set stage = %(stage)s, progress = %(progress)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s and status = 'processing';

-- lock_current
-- The item, locked, if this is still its newest version; what must not be swapped in is not found.
select item_no, namespace_id, kind, sealed_title, serving_version from item
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s and status in ('processing', 'ready')
for update;

-- serve_version
update item set status = 'ready', stage = 'indexed', progress = 1, serving_version = %(version)s, meaning_ready = %(meaning_ready)s,
  meaning_waits = null, failure_code = null, sealed_failure = null
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s;

-- set_meaning_ready
update item set meaning_ready = %(meaning_ready)s, meaning_waits = null
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s;

-- wait_for_meaning
update item set meaning_waits = %(reason)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s;

-- keep_text
update item_version set sealed_text = %(sealed_text)s, characters = %(characters)s, sealed_reading = %(sealed_reading)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s;

-- fail_item
-- The serving version, if there is one, is still searched.
update item set status = 'failed', failure_code = %(code)s, sealed_failure = %(sealed_failure)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s and status in ('queued', 'processing');
