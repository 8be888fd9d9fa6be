-- chunks_to_move
-- How many chunks these items have in each other collection.
select namespace_id, count(*)::int chunks from chunk
where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) and namespace_id <> %(to)s
group by namespace_id order by namespace_id;

-- copy_postings
-- Weights stand in the segments alone, so they are carried over from there: each term's segment of the
-- old place is opened once, and what lies at a moved place is written under its new one.
with moved as materialized (
  select namespace_id, layer, ordinal, terms, %(first)s - 1 + row_number() over (order by namespace_id, ordinal) place
  from chunk where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) and namespace_id <> %(to)s),
touched as materialized (
  select distinct m.namespace_id, m.layer, m.ordinal / 4096 segment, t.term from moved m cross join lateral unnest(m.terms) t(term)),
posting as (
  select s.term, s.layer, m.place, u.weight
  from touched t
  join term_segment s on s.workspace_id = %(workspace_id)s and s.term = t.term and s.namespace_id = t.namespace_id
    and s.layer = t.layer and s.segment = t.segment
  cross join lateral unnest(s.ordinals, s.weights) u(ordinal, weight)
  join moved m on m.namespace_id = s.namespace_id and m.ordinal = u.ordinal)
insert into term_segment (workspace_id, term, namespace_id, layer, segment, ordinals, weights)
select %(workspace_id)s, p.term, %(to)s, p.layer, p.place / 4096,
  array_agg(p.place::int order by p.place), array_agg(p.weight order by p.place)
from posting p group by p.term, p.layer, p.place / 4096 order by p.term, p.layer, p.place / 4096
on conflict (workspace_id, term, namespace_id, layer, segment) do update
set ordinals = term_segment.ordinals || excluded.ordinals, weights = term_segment.weights || excluded.weights;

-- move_vectors
-- Before the chunks, from which the new places are counted; so each vector goes where its chunk will.
update chunk_vector v set namespace_id = %(to)s, ordinal = m.place
from (
  select namespace_id, ordinal, %(first)s - 1 + row_number() over (order by namespace_id, ordinal) place
  from chunk where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) and namespace_id <> %(to)s) m
where v.workspace_id = %(workspace_id)s and v.namespace_id = m.namespace_id and v.ordinal = m.ordinal
  and v.card_id in (select card_id from model_card where workspace_id = %(workspace_id)s);

-- move_chunks
update chunk c set namespace_id = %(to)s, ordinal = m.place
from (
  select namespace_id, ordinal, %(first)s - 1 + row_number() over (order by namespace_id, ordinal) place
  from chunk where workspace_id = %(workspace_id)s and item_id = any(%(item_ids)s::bigint[]) and namespace_id <> %(to)s) m
where c.workspace_id = %(workspace_id)s and c.namespace_id = m.namespace_id and c.ordinal = m.ordinal;
