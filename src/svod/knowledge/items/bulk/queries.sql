-- lock_items
-- In the order of their ids, so that two who lock several cannot deadlock.
select item_id from item where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[])
order by item_id for update;

-- held_items
-- Those of the items that may be read. Asked after they were locked, never in the same statement: a
-- row that was waited for is not joined anew with what it now belongs to.
select i.item_id, i.kind, i.status, i.version, i.revision, i.level_id, i.namespace_id, i.external_id_key,
  i.pinned, g.may_send, l.kind level_kind, l.name level_name
from item i
join level_grant g on g.workspace_id = i.workspace_id and g.level_id = i.level_id
join level l on l.workspace_id = i.workspace_id and l.level_id = i.level_id
where i.workspace_id = %(workspace_id)s and i.item_id = any(%(item_ids)s::bigint[])
  and g.principal_id = %(principal_id)s and g.may_read
order by i.item_id;

-- pin_items
update item set pinned = %(pinned)s, revision = revision + 1, updated_at = %(now)s
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) and pinned <> %(pinned)s
returning item_id;

-- touch_items
update item set revision = revision + 1, updated_at = %(now)s
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]);

-- requeue_items
update item set status = 'queued', stage = null, progress = 0, meaning_waits = null, failure_code = null, sealed_failure = null,
  revision = revision + 1, updated_at = %(now)s
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[])
returning item_id, version, kind;

-- cancel_items
-- The serving version, if there is one, is still searched.
update item set status = 'failed', stage = null, progress = 0, meaning_waits = null, failure_code = 'cancelled', sealed_failure = null,
  revision = revision + 1, updated_at = %(now)s
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) and status in ('queued', 'processing')
returning item_id;

-- taken_external_ids
select external_id_key from item
where workspace_id = %(workspace_id)s and level_id = %(level_id)s and external_id_key = any(%(external_id_keys)s::bytea[]);

-- move_items
update item set level_id = %(level_id)s, namespace_id = %(namespace_id)s, revision = revision + 1, updated_at = %(now)s
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]);

-- tags_of_items
select item_id, tag_key from item_tag
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]);

-- add_tags
insert into item_tag (workspace_id, item_id, tag_key, sealed_tag)
select %(workspace_id)s, t.item_id, t.tag_key, t.sealed_tag
from unnest(%(item_ids)s::bigint[], %(tag_keys)s::bytea[], %(sealed_tags)s::bytea[]) t(item_id, tag_key, sealed_tag)
on conflict do nothing;

-- remove_tags
delete from item_tag
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) and tag_key = any(%(tag_keys)s::bytea[])
returning item_id;

-- clear_tags
delete from item_tag where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]);

-- blobs_of_items
select distinct blob_key from item_version
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) and blob_key is not null;

-- delete_items
-- Versions and tags go with their items.
delete from item where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]);

-- delete_unused_blobs
delete from blob b where b.workspace_id = %(workspace_id)s and b.blob_key = any(%(blob_keys)s::bytea[])
  and not exists (select from item_version v where v.workspace_id = b.workspace_id and v.blob_key = b.blob_key)
returning b.blob_key;

-- lock_items_of_levels
select i.item_id from item i
where i.workspace_id = %(workspace_id)s and i.namespace_id in (
  select n.namespace_id from namespace n where n.workspace_id = %(workspace_id)s and n.level_id = any(%(level_ids)s::int[]))
order by i.item_id for update of i;

-- lock_namespaces_of_levels
-- Nothing can be added to them from here on.
select namespace_id from namespace
where workspace_id = %(workspace_id)s and level_id = any(%(level_ids)s::int[]) order by namespace_id for update;

-- delete_namespaces_of_levels
delete from namespace where workspace_id = %(workspace_id)s and level_id = any(%(level_ids)s::int[]);

-- lock_items_of_workspace
select item_id from item where workspace_id = %(workspace_id)s order by item_id for update;

-- lock_namespaces_of_workspace
select namespace_id from namespace where workspace_id = %(workspace_id)s order by namespace_id for update;

-- delete_every_tag
delete from item_tag where workspace_id = %(workspace_id)s;

-- delete_every_version
delete from item_version where workspace_id = %(workspace_id)s;

-- delete_every_item
delete from item where workspace_id = %(workspace_id)s;

-- delete_every_blob
delete from blob where workspace_id = %(workspace_id)s;

-- delete_every_namespace
delete from namespace where workspace_id = %(workspace_id)s;
