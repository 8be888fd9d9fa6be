-- Links: the page behind an item of that kind.

-- One page once a level: the keyed hash of its normalised address.
alter table item add column url_key bytea;
create unique index item_url on item (workspace_id, level_id, url_key) where url_key is not null;

-- `wanted` while the page is to be fetched; `reread` if what is there must be read anew even when the
-- page did not change. The marks (etag, last_modified) are of the copy that `version` holds. `attempts`
-- counts tries in a row now, `failed_days` days in a row on which the page could not be had.
create table link (
  workspace_id bigint not null,
  item_id bigint not null,
  sealed_url bytea not null,
  sealed_final_url bytea,
  sealed_etag bytea,
  sealed_last_modified bytea,
  version int,
  wanted boolean not null default true,
  reread boolean not null default false,
  attempts smallint not null default 0,
  failed_days smallint not null default 0,
  refresh_days smallint check (refresh_days in (1, 7, 30)),
  fetched_at timestamptz,
  next_refresh_at timestamptz,
  primary key (workspace_id, item_id),
  foreign key (workspace_id, item_id) references item (workspace_id, item_id) on delete cascade
);
create index link_due on link (next_refresh_at) where next_refresh_at is not null;
