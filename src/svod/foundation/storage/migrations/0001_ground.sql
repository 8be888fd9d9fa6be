-- The ground: workspaces and their keys, levels, principals, items, the search tables.
-- Every key starts with the workspace, so that the tables can be sharded by it. Columns named
-- sealed_… hold ciphertext; …_key a keyed hash, for uniqueness and look-up. Text without either is
-- an enum, a machine name, or the name of a domain or an address.

create extension if not exists vector;

create table workspace (
  workspace_id bigint primary key,
  kind text not null check (kind in ('system', 'tenant')),
  sealed_name bytea not null,
  language text not null default 'en' check (language in ('en', 'ru')),
  created_at timestamptz not null
);
create unique index workspace_system on workspace (kind) where kind = 'system';

create table workspace_key (
  workspace_id bigint not null references workspace on delete cascade,
  purpose text not null check (purpose in ('seal', 'words')),
  key_id smallint not null check (key_id between 1 and 255),
  wrapped bytea not null,
  created_at timestamptz not null,
  primary key (workspace_id, purpose, key_id)
);

-- Counters of a workspace: one row a name, locked by whoever draws from it.
create table counter (
  workspace_id bigint not null references workspace on delete cascade,
  name text not null,
  last int not null,
  primary key (workspace_id, name)
);

create table level (
  workspace_id bigint not null references workspace on delete cascade,
  level_id int not null,
  kind text not null check (kind in ('global', 'workspace', 'domain', 'address')),
  name text not null default '',
  parent_level_id int,
  created_at timestamptz not null,
  primary key (workspace_id, level_id),
  foreign key (workspace_id, parent_level_id) references level (workspace_id, level_id),
  unique (workspace_id, kind, name)
);

-- A namespace is a collection of the search tables. Its row is locked before its chunks are written.
create table namespace (
  workspace_id bigint not null,
  namespace_id int not null,
  level_id int not null,
  clean_namespace text not null default '',
  sealed_display_name bytea,
  access_mode text not null default 'AUTO_QUERY' check (access_mode in ('AUTO_QUERY', 'TOOL_ONLY')),
  live int not null default 0,
  next_ordinal int not null default 0,
  vectors_version bigint not null default 0,
  created_at timestamptz not null,
  primary key (workspace_id, namespace_id),
  unique (workspace_id, level_id, clean_namespace),
  unique (workspace_id, namespace_id, level_id),
  foreign key (workspace_id, level_id) references level (workspace_id, level_id) on delete cascade
);

-- Who acts: 'reader' is principal 0 of the system workspace, through whom everyone reads the global
-- level. One that is not limited is granted every level, also those made later.
create table principal (
  workspace_id bigint not null references workspace on delete cascade,
  principal_id int not null,
  kind text not null check (kind in ('member', 'key', 'reader')),
  permissions text[] not null,
  limited boolean not null default false,
  operator boolean not null default false,
  sealed_name bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (workspace_id, principal_id)
);

create table api_key (
  workspace_id bigint not null,
  secret_hash bytea not null,
  principal_id int not null,
  primary key (workspace_id, secret_hash),
  foreign key (workspace_id, principal_id) references principal (workspace_id, principal_id) on delete cascade
);

create table level_grant (
  workspace_id bigint not null,
  principal_id int not null,
  level_id int not null,
  may_read boolean not null,
  may_send boolean not null,
  primary key (workspace_id, principal_id, level_id),
  foreign key (workspace_id, principal_id) references principal (workspace_id, principal_id) on delete cascade,
  foreign key (workspace_id, level_id) references level (workspace_id, level_id) on delete cascade
);

create table setup_link (
  workspace_id bigint not null references workspace on delete cascade,
  secret_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (workspace_id, secret_hash)
);

-- What was answered to a creation with an idempotency key; kept a day.
create table idempotency (
  workspace_id bigint not null references workspace on delete cascade,
  request_key bytea not null,
  body_key bytea not null,
  status smallint,
  sealed_reply bytea,
  created_at timestamptz not null,
  primary key (workspace_id, request_key)
);

create table item (
  workspace_id bigint not null,
  item_id bigint not null,
  item_no int not null,
  level_id int not null,
  namespace_id int not null,
  kind text not null,
  status text not null check (status in ('queued', 'processing', 'ready', 'failed')),
  stage text check (stage in ('loaded', 'text_extracted', 'split', 'embedded', 'indexed')),
  progress real not null default 0,
  meaning_ready real not null default 0,
  failure_code text,
  sealed_failure bytea,
  sealed_title bytea not null,
  sealed_external_id bytea,
  external_id_key bytea,
  name_key bytea,
  content_key bytea not null,
  version int not null,
  serving_version int,
  revision int not null default 1,
  origin text not null,
  ingest text not null,
  pinned boolean not null default false,
  created_by int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, item_id),
  unique (workspace_id, item_no),
  foreign key (workspace_id, namespace_id, level_id) references namespace (workspace_id, namespace_id, level_id)
);
create unique index item_external_id on item (workspace_id, level_id, external_id_key) where external_id_key is not null;
create index item_name on item (workspace_id, namespace_id, name_key) where name_key is not null;
create index item_content on item (workspace_id, namespace_id, content_key);
create index item_by_time on item (workspace_id, namespace_id, updated_at desc, item_id desc);
create index item_unfinished on item (workspace_id, status) where status in ('queued', 'processing');

-- A version never changes. Its source is what was given (a note's text, or a blob); its text is the
-- canonical text that spans point into, absent until it has been read.
create table item_version (
  workspace_id bigint not null,
  item_id bigint not null,
  version int not null,
  media_type text not null,
  sealed_title bytea not null,
  sealed_name bytea,
  sealed_source bytea,
  blob_key bytea,
  bytes bigint not null,
  content_key bytea not null,
  sealed_split bytea,
  sealed_text bytea,
  characters int,
  sealed_reading bytea,
  created_by int not null,
  created_at timestamptz not null,
  primary key (workspace_id, item_id, version),
  foreign key (workspace_id, item_id) references item (workspace_id, item_id) on delete cascade
);
create index item_version_blob on item_version (workspace_id, blob_key) where blob_key is not null;

-- A stored file, under the keyed hash of its bytes; refused to readers once nothing points at it.
create table blob (
  workspace_id bigint not null references workspace on delete cascade,
  blob_key bytea not null,
  bytes bigint not null,
  created_at timestamptz not null,
  primary key (workspace_id, blob_key)
);

-- What is searchable and cited: part `part` of a version of an item. `terms` are its distinct word hashes: a purge needs neither the text
-- nor the analyser of that day.
create table chunk (
  workspace_id bigint not null,
  namespace_id int not null,
  ordinal int not null,
  layer smallint not null,
  item_id bigint not null,
  item_no int not null,
  version int not null,
  part int not null,
  text_key bytea not null,
  terms int[] not null,
  sealed_body bytea not null,
  primary key (workspace_id, namespace_id, ordinal),
  foreign key (workspace_id, item_id) references item (workspace_id, item_id)
);
create index chunk_item on chunk (workspace_id, item_id);
create index chunk_text on chunk (workspace_id, text_key);

-- Narrow, so that an exact scan reads little: half the bytes of float32, no loss of rank measured.
create table chunk_vector (
  workspace_id bigint not null,
  namespace_id int not null,
  card_id smallint not null,
  ordinal int not null,
  layer smallint not null,
  item_no int not null,
  embedding halfvec not null,
  primary key (workspace_id, namespace_id, card_id, ordinal)
);
alter table chunk_vector alter embedding set storage plain;

-- Words: for a term and 4096 ordinals, where it occurs and its BM25 weight there without idf.
create table term_segment (
  workspace_id bigint not null,
  term int not null,
  namespace_id int not null,
  layer smallint not null,
  segment int not null,
  ordinals int[] not null,
  weights real[] not null,
  primary key (workspace_id, term, namespace_id, layer, segment)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index term_segment_namespace on term_segment (workspace_id, namespace_id, segment);

-- The models whose vectors a workspace holds, and the moments of those vectors, from which z comes.
create table model_card (
  workspace_id bigint not null references workspace on delete cascade,
  card_id smallint not null,
  name text not null,
  dimensions int not null,
  serving boolean not null default false,
  vectors int not null default 0,
  mean bytea,
  covariance bytea,
  created_at timestamptz not null,
  primary key (workspace_id, card_id),
  unique (workspace_id, name)
);
create unique index model_card_serving on model_card (workspace_id) where serving;

-- Vectors that were computed and are not searchable yet: those of a changed item wait here for its
-- swap, those of a broken-off job for its repetition. Searchable ones are found again by chunk.text_key,
-- so that the same text is embedded once a workspace.
create table embedding_cache (
  workspace_id bigint not null,
  card_id smallint not null,
  text_key bytea not null,
  item_id bigint not null,
  embedding halfvec not null,
  primary key (workspace_id, card_id, text_key),
  foreign key (workspace_id, item_id) references item (workspace_id, item_id) on delete cascade
);
create index embedding_cache_item on embedding_cache (workspace_id, item_id);

-- Finished steps of a job, so that a job begun again skips them.
create table job_step (
  workspace_id bigint not null references workspace on delete cascade,
  job_key text not null,
  name text not null,
  sealed_result bytea not null,
  created_at timestamptz not null,
  primary key (workspace_id, job_key, name)
);

-- What an item is split into while its vectors are computed; goes with them into the search tables.
create table item_split (
  workspace_id bigint not null,
  item_id bigint not null,
  version int not null,
  sealed_chunks bytea not null,
  searchable boolean not null,
  primary key (workspace_id, item_id),
  foreign key (workspace_id, item_id) references item (workspace_id, item_id) on delete cascade
);
