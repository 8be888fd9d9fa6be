-- claim_request
-- The first one to come writes the row; whoever comes second writes nothing and reads it. A row
-- without a reply that is older than `abandoned_before` belongs to a process that died: it is taken
-- over, unless what was asked has been made.
insert into idempotency (workspace_id, request_key, body_key, created_at)
values (%(workspace_id)s, %(request_key)s, %(body_key)s, %(now)s)
on conflict (workspace_id, request_key) do update
set body_key = excluded.body_key, created_at = excluded.created_at
where idempotency.status is null and idempotency.sealed_made is null and idempotency.created_at < %(abandoned_before)s;

-- find_reply
select body_key, status, sealed_reply, sealed_made from idempotency
where workspace_id = %(workspace_id)s and request_key = %(request_key)s;

-- keep_reply
update idempotency set status = %(status)s, sealed_reply = %(sealed_reply)s
where workspace_id = %(workspace_id)s and request_key = %(request_key)s;

-- release_request
-- What failed may be tried again with the same key.
delete from idempotency
where workspace_id = %(workspace_id)s and request_key = %(request_key)s and status is null and sealed_made is null;

-- note_made
-- In the transaction that makes it, so that what was made is known exactly if it is there.
update idempotency set sealed_made = %(sealed_made)s, item_id = %(item_id)s
where workspace_id = %(workspace_id)s and request_key = %(request_key)s;

-- forget_made
-- A reply that shows an item goes with the item.
delete from idempotency where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]);

-- drop_old_replies
delete from idempotency
where workspace_id = %(workspace_id)s and created_at < %(before)s;
