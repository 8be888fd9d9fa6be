-- Items whole: tags, where a version comes from, replies known by what they made.

-- A tag of an item, under the keyed hash of its folded form.
create table item_tag (
  workspace_id bigint not null,
  item_id bigint not null,
  tag_key bytea not null,
  sealed_tag bytea not null,
  primary key (workspace_id, item_id, tag_key),
  foreign key (workspace_id, item_id) references item (workspace_id, item_id) on delete cascade
);
create index item_tag_key on item_tag (workspace_id, tag_key, item_id);

create index item_pinned on item (workspace_id, updated_at desc, item_id desc) where pinned;

-- A title that nobody gave comes from the text or the file's name, and follows it.
alter table item_version
  add column own_title boolean not null default true,
  add column restored_from int;

-- Which splitting of a version a job computes vectors for; a later one makes its work void.
alter table item_split add column split_id bigint not null default 0;

-- Written in the transaction that creates: what was made, for the reply that may be lost with its
-- process. A reply that shows an item goes with the item.
alter table idempotency
  add column sealed_made bytea,
  add column item_id bigint;
create index idempotency_item on idempotency (workspace_id, item_id) where item_id is not null;
