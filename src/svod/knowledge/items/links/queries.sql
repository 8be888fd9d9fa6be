-- find_by_url
-- The item of a level that is this page, locked.
select item_id, external_id_key from item
where workspace_id = %(workspace_id)s and level_id = %(level_id)s and url_key = %(url_key)s for update;

-- taken_urls
-- Those of the items that cannot come to a level, as it has their page already, or gets it with another of them.
select distinct a.item_id from item a
join item b on b.workspace_id = a.workspace_id and b.url_key = a.url_key and b.item_id <> a.item_id
where a.workspace_id = %(workspace_id)s and a.item_id = any(%(item_ids)s::bigint[])
  and (b.level_id = %(level_id)s or (b.item_id = any(%(item_ids)s::bigint[]) and b.item_id < a.item_id));

-- set_url_key
update item set url_key = %(url_key)s where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- put_link
-- A new link, or one that leads elsewhere from now on: nothing that was known of the former page holds.
insert into link (workspace_id, item_id, sealed_url, refresh_days)
values (%(workspace_id)s, %(item_id)s, %(sealed_url)s, %(refresh_days)s)
on conflict (workspace_id, item_id) do update set sealed_url = excluded.sealed_url,
  refresh_days = coalesce(excluded.refresh_days, link.refresh_days),
  sealed_final_url = null, sealed_etag = null, sealed_last_modified = null, version = null, wanted = true, reread = true,
  attempts = 0, failed_days = 0, fetched_at = null, next_refresh_at = null;

-- want_pages
-- Whatever else the items wait for is not forgotten over it.
update link l set wanted = true, attempts = 0, reread = l.reread or i.status in ('queued', 'processing')
from item i
where l.workspace_id = %(workspace_id)s and l.item_id = any(%(item_ids)s::bigint[])
  and i.workspace_id = l.workspace_id and i.item_id = l.item_id;

-- set_refresh_days
update link set refresh_days = %(refresh_days)s, next_refresh_at = %(next_refresh_at)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- is_wanted
-- Whether the page of an item is to be fetched before anything can be read.
select wanted from link where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- lock_item
select item_id from item where workspace_id = %(workspace_id)s and item_id = %(item_id)s for update;

-- find_link
-- The page and its item as they stand, for whoever fetches it.
select i.item_id, i.status, i.failure_code, i.version, i.serving_version, i.meaning_ready, i.created_by,
  l.sealed_url, l.sealed_final_url, l.sealed_etag, l.sealed_last_modified, l.version marked_version, l.wanted, l.reread,
  l.attempts, l.failed_days, l.refresh_days, l.fetched_at,
  v.blob_key, v.content_key, v.sealed_title, v.own_title, v.sealed_split
from item i
join link l on l.workspace_id = i.workspace_id and l.item_id = i.item_id
join item_version v on v.workspace_id = i.workspace_id and v.item_id = i.item_id and v.version = i.version
where i.workspace_id = %(workspace_id)s and i.item_id = %(item_id)s;

-- count_attempt
update link set attempts = attempts + 1 where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- keep_fetched
update link set sealed_final_url = %(sealed_final_url)s, sealed_etag = %(sealed_etag)s,
  sealed_last_modified = %(sealed_last_modified)s, version = %(version)s, wanted = false, reread = false, attempts = 0,
  failed_days = 0, fetched_at = %(now)s, next_refresh_at = %(next_refresh_at)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- keep_failed
update link set wanted = false, attempts = 0, failed_days = failed_days + 1, next_refresh_at = %(next_refresh_at)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- fill_version
-- What a link's first version holds comes after it: the page.
update item_version set media_type = %(media_type)s, bytes = %(size)s, content_key = %(content_key)s,
  blob_key = %(blob_key)s, sealed_title = %(sealed_title)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s and blob_key is null;

-- fill_item
update item set content_key = %(content_key)s, sealed_title = %(sealed_title)s, status = 'processing', failure_code = null,
  sealed_failure = null, revision = revision + 1, updated_at = %(now)s
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s;

-- settle_item
-- The page is as it was, so what serves is complete: nothing is left to do.
update item set status = 'ready', stage = 'indexed', progress = 1, failure_code = null, sealed_failure = null,
  revision = revision + (status <> 'ready')::int
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = serving_version and meaning_ready >= 1;

-- read_again
update item set status = 'queued', stage = null, progress = 0, meaning_waits = null, failure_code = null, sealed_failure = null
where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- fail_load
-- The serving version, if there is one, is still searched.
update item set status = 'failed', stage = null, progress = 0, meaning_waits = null, failure_code = %(code)s, sealed_failure = %(sealed_failure)s,
  revision = revision + 1, updated_at = case when status = 'failed' then updated_at else %(now)s end
where workspace_id = %(workspace_id)s and item_id = %(item_id)s;

-- claim_due
-- Links whose day has come, in every workspace; each is put off by a day, so that one whose job is lost is tried again.
-- One whose vectors are still being computed waits for them: a failure in between would break them off.
update link l set next_refresh_at = %(again_at)s
from (
  select d.workspace_id, d.item_id from link d
  join item i on i.workspace_id = d.workspace_id and i.item_id = d.item_id
  where d.next_refresh_at <= %(now)s and (i.status = 'failed' or (i.status = 'ready' and i.meaning_ready >= 1))
  order by d.next_refresh_at limit %(limit)s for update of d skip locked) due
where l.workspace_id = due.workspace_id and l.item_id = due.item_id
returning l.workspace_id, l.item_id;
