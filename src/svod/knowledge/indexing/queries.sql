-- lock_namespace
-- The row that every writer of a collection locks first, so that two of them cannot deadlock; it also
-- hands out ordinals. Returns the first of `count` new ones.
update namespace set next_ordinal = next_ordinal + %(count)s, live = live + %(count)s
where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s
returning next_ordinal - %(count)s;

-- insert_chunk
insert into chunk (workspace_id, namespace_id, ordinal, layer, item_id, item_no, version, part, text_key, terms, sealed_body)
values (%(workspace_id)s, %(namespace_id)s, %(ordinal)s, %(layer)s, %(item_id)s, %(item_no)s, %(version)s, %(part)s,
  %(text_key)s, %(terms)s, %(sealed_body)s);

-- add_to_segments
-- Term order, so that writers lock alike. Plain read-modify-write: appending and compacting costs as much.
insert into term_segment (workspace_id, term, namespace_id, layer, segment, ordinals, weights)
select %(workspace_id)s, p.term, %(namespace_id)s, %(layer)s, p.ordinal / 4096,
  array_agg(p.ordinal order by p.ordinal), array_agg(p.weight order by p.ordinal)
from unnest(%(terms)s::int[], %(ordinals)s::int[], %(weights)s::real[]) p(term, ordinal, weight)
group by p.term, p.ordinal / 4096 order by p.term, p.ordinal / 4096
on conflict (workspace_id, term, namespace_id, layer, segment) do update
set ordinals = term_segment.ordinals || excluded.ordinals, weights = term_segment.weights || excluded.weights;

-- chunks_of_items
select namespace_id, ordinal, layer, terms from chunk
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) order by namespace_id, ordinal;

-- ordinals_of_item
-- The places of a version's chunks, to give them their vectors.
select namespace_id, ordinal, part, layer from chunk
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s order by part;

-- lock_namespace_rows
select namespace_id from namespace
where workspace_id = %(workspace_id)s and namespace_id = any(%(namespace_ids)s::int[]) order by namespace_id for update;

-- take_from_segments
-- Places leave their segments; what is left of each is written back, an empty one goes.
with dead as materialized (select unnest(%(ordinals)s::int[]) ordinal),
touched as materialized (
  select term, layer, segment, ordinals, weights from term_segment
  where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s and term = any(%(terms)s::int[])
    and segment = any(%(segments)s::int[])),
kept as materialized (
  select t.term, t.layer, t.segment, array_agg(u.ordinal order by u.ordinal) ordinals, array_agg(u.weight order by u.ordinal) weights
  from touched t cross join lateral unnest(t.ordinals, t.weights) u(ordinal, weight)
  where u.ordinal not in (select ordinal from dead)
  group by t.term, t.layer, t.segment),
shrunk as (
  update term_segment s set ordinals = k.ordinals, weights = k.weights from kept k
  where s.workspace_id = %(workspace_id)s and s.term = k.term and s.namespace_id = %(namespace_id)s and s.layer = k.layer and s.segment = k.segment)
delete from term_segment s using touched t
where s.workspace_id = %(workspace_id)s and s.term = t.term and s.namespace_id = %(namespace_id)s and s.layer = t.layer and s.segment = t.segment
  and not exists (select from kept k where k.term = t.term and k.layer = t.layer and k.segment = t.segment);

-- delete_vectors
delete from chunk_vector where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s
  and card_id in (select card_id from model_card where workspace_id = %(workspace_id)s)
  and ordinal = any(%(ordinals)s::int[]);

-- delete_chunks
delete from chunk where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s and ordinal = any(%(ordinals)s::int[]);

-- shrink_namespace
update namespace set live = live - %(count)s, vectors_version = vectors_version + 1
where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s;

-- insert_vector
insert into chunk_vector (workspace_id, namespace_id, card_id, ordinal, layer, item_no, embedding)
values (%(workspace_id)s, %(namespace_id)s, %(card_id)s, %(ordinal)s, %(layer)s, %(item_no)s, %(embedding)s)
on conflict do nothing;

-- raise_vectors_version
update namespace set vectors_version = vectors_version + 1
where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s;

-- find_card
select card_id from model_card where workspace_id = %(workspace_id)s and name = %(name)s;

-- insert_card
-- The first card of a workspace serves; a later one is filled before it does.
insert into model_card (workspace_id, card_id, name, dimensions, serving, created_at)
select %(workspace_id)s, coalesce(max(card_id), 0) + 1, %(name)s, %(dimensions)s, count(*) filter (where serving) = 0, %(now)s
from model_card where workspace_id = %(workspace_id)s
on conflict do nothing;

-- cached_vectors
-- Vectors of these texts that were computed before: waiting ones, and those of searchable chunks.
select text_key, embedding from embedding_cache
where workspace_id = %(workspace_id)s and card_id = %(card_id)s and text_key = any(%(text_keys)s::bytea[])
union all
select k.text_key, v.embedding from chunk k
join chunk_vector v on v.workspace_id = k.workspace_id and v.namespace_id = k.namespace_id and v.ordinal = k.ordinal
where k.workspace_id = %(workspace_id)s and k.text_key = any(%(text_keys)s::bytea[]) and v.card_id = %(card_id)s;

-- cache_vector
insert into embedding_cache (workspace_id, card_id, text_key, item_id, embedding)
values (%(workspace_id)s, %(card_id)s, %(text_key)s, %(item_id)s, %(embedding)s)
on conflict do nothing;

-- forget_cached
delete from embedding_cache where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]);

-- count_vectors
-- How many vectors the moments were taken from, and how many there are now.
select c.vectors measured, (select count(*) from chunk_vector v where v.workspace_id = c.workspace_id and v.card_id = c.card_id)::int now
from model_card c where c.workspace_id = %(workspace_id)s and c.card_id = %(card_id)s;

-- sample_vectors
-- Every nth vector, at most about 20,000 of them.
select embedding from chunk_vector
where workspace_id = %(workspace_id)s and card_id = %(card_id)s and ordinal %% %(step)s = 0 limit 20000;

-- set_moments
update model_card set vectors = %(vectors)s, mean = %(mean)s, covariance = %(covariance)s
where workspace_id = %(workspace_id)s and card_id = %(card_id)s;

-- keep_split
insert into item_split (workspace_id, item_id, version, split_id, sealed_chunks, searchable)
values (%(workspace_id)s, %(item_id)s, %(version)s, %(split_id)s, %(sealed_chunks)s, %(searchable)s)
on conflict (workspace_id, item_id) do update
set version = excluded.version, split_id = excluded.split_id, sealed_chunks = excluded.sealed_chunks, searchable = excluded.searchable;

-- kept_split
select split_id, sealed_chunks, searchable from item_split
where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s;

-- split_is_kept
-- A version split anew, or cancelled, voids the work that a job does on its former split.
select exists (select from item_split
  where workspace_id = %(workspace_id)s and item_id = %(item_id)s and version = %(version)s and split_id = %(split_id)s);

-- drop_splits
delete from item_split where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]);

-- delete_every_term
delete from term_segment where workspace_id = %(workspace_id)s;

-- delete_every_vector
delete from chunk_vector where workspace_id = %(workspace_id)s;

-- delete_every_chunk
delete from chunk where workspace_id = %(workspace_id)s;

-- delete_every_waiting_vector
delete from embedding_cache where workspace_id = %(workspace_id)s;

-- delete_every_split
delete from item_split where workspace_id = %(workspace_id)s;

-- delete_every_card
delete from model_card where workspace_id = %(workspace_id)s;
