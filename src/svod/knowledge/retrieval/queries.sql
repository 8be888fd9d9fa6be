-- serving_card
-- The model whose vectors serve, and how much may be seen; one row, also without a model. `changed`
-- moves whenever a visible chunk or vector comes or goes, or another namespace may be seen.
with seen as materialized (
  select coalesce(sum(n.live), 0)::int live, (coalesce(sum(n.vectors_version + n.next_ordinal), 0) + count(*))::bigint changed
  from namespace n join level_grant g using (workspace_id, level_id)
  where n.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
)
select m.card_id, m.name, coalesce(m.vectors, 0) measured, s.live, s.changed
from seen s left join model_card m on m.workspace_id = %(workspace_id)s and m.serving;

-- count_vectors
-- How many visible chunks have a vector. It scans an index, so it is asked only after a change.
select count(*)::int from chunk_vector v
where v.workspace_id = %(workspace_id)s and v.card_id = %(card_id)s
  and v.namespace_id = any((
    select array_agg(n.namespace_id) from namespace n join level_grant g using (workspace_id, level_id)
    where n.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read)::int[]);

-- moments
-- Mean and covariance of the vectors that the workspace holds of a model.
select vectors, mean, covariance from model_card
where workspace_id = %(workspace_id)s and card_id = %(card_id)s;

-- judged_fits
-- What judged questions were fitted to in the collections that the plan searches, on today's scales.
select l.kind level_kind, l.name level_name, n.clean_namespace, f.languages, f.threshold, f.intercept, f.slope
from judged_fit f
join namespace n using (workspace_id, namespace_id) join level_grant g using (workspace_id, level_id) join level l using (workspace_id, level_id)
where f.workspace_id = %(workspace_id)s and f.basis = %(basis)s and g.principal_id = %(principal_id)s and g.may_read
  and (%(levels)s::text[] is null
    or case when l.kind in ('workspace', 'global') then l.kind else l.kind || ':' || l.name end = any(%(levels)s::text[]))
  and case when %(namespaces)s::text[] is null then n.access_mode = 'AUTO_QUERY'
    else n.clean_namespace = any(%(namespaces)s::text[]) end;

-- visible_levels
-- Those of the named levels that may be read; one that is not there looks like one that is hidden.
select case when l.kind in ('workspace', 'global') then l.kind else l.kind || ':' || l.name end
from level l join level_grant g using (workspace_id, level_id)
where l.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
  and case when l.kind in ('workspace', 'global') then l.kind else l.kind || ':' || l.name end = any(%(levels)s::text[]);

-- phrase_candidates
-- Chunks that hold every indexed term of the quoted phrases, the strongest first; where the phrases
-- consist of words that are not indexed, any chunk. Their texts are opened and read for the phrases.
with seen as materialized (
  select array_agg(n.namespace_id) ids
  from namespace n join level_grant g using (workspace_id, level_id) join level l using (workspace_id, level_id)
  where n.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
    and (%(levels)s::text[] is null
      or case when l.kind in ('workspace', 'global') then l.kind else l.kind || ':' || l.name end = any(%(levels)s::text[]))
    and case when %(namespaces)s::text[] is null then n.access_mode = 'AUTO_QUERY'
      else n.clean_namespace = any(%(namespaces)s::text[]) end
),
candidate as materialized (
  (
    select k
    from (
      select unnest(t.ordinals) + (t.namespace_id::bigint << 32) k, unnest(t.weights) w
      from term_segment t
      where t.workspace_id = %(workspace_id)s and t.term = any(%(terms)s::int[])
        and t.namespace_id = any((select ids from seen)::int[]) and t.layer = any(%(layers)s::smallint[])
    ) p
    group by k
    having count(*) = cardinality(%(terms)s::int[])
    order by sum(w) desc, k
    limit %(candidates)s
  )
  union all
  (
    select c.ordinal + (c.namespace_id::bigint << 32)
    from chunk c
    where cardinality(%(terms)s::int[]) = 0
      and c.workspace_id = %(workspace_id)s and c.namespace_id = any((select ids from seen)::int[])
      and c.layer = any(%(layers)s::smallint[])
    limit %(candidates)s
  )
)
select k.k, c.item_id, c.version, c.part, c.sealed_body, i.sealed_title
from candidate k
join chunk c on c.workspace_id = %(workspace_id)s and c.namespace_id = (k.k >> 32)::int and c.ordinal = (k.k & 4294967295)::int
join item i on i.workspace_id = %(workspace_id)s and i.item_id = c.item_id;

-- known_terms
-- Which of many terms occur where the plan looks, and in how many chunks. What occurs nowhere, nearly
-- all of them, is sorted out by one look into the index each; namespaces are read for the rest only.
with seen as materialized (
  select array_agg(n.namespace_id) ids
  from namespace n join level_grant g using (workspace_id, level_id) join level l using (workspace_id, level_id)
  where n.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
    and (%(levels)s::text[] is null
      or case when l.kind in ('workspace', 'global') then l.kind else l.kind || ':' || l.name end = any(%(levels)s::text[]))
    and case when %(namespaces)s::text[] is null then n.access_mode = 'AUTO_QUERY'
      else n.clean_namespace = any(%(namespaces)s::text[]) end
),
there as materialized (
  select q.term
  from unnest(%(terms)s::int[]) q(term)
  cross join lateral (
    select from term_segment t where t.workspace_id = %(workspace_id)s and t.term = q.term limit 1
  ) x
)
select q.term, d.chunks
from there q
cross join lateral (
  select sum(cardinality(t.ordinals))::int chunks
  from term_segment t
  where t.workspace_id = %(workspace_id)s and t.term = q.term
    and t.namespace_id = any((select ids from seen)::int[]) and t.layer = any(%(layers)s::smallint[])
) d
where d.chunks > 0;

-- search
-- Words and meaning in one statement. What may be read is resolved here, so that a forgotten check
-- elsewhere cannot leak. Nothing is ever joined to `lex`: an unnest is estimated at a handful of
-- rows, and the join becomes a nested loop over a hundred thousand. Vector candidates therefore
-- enter the same `group by` as rows of weight zero, and missing cosines are looked up by key
-- (`offset 0` keeps the look-up lateral). Arms that are not asked for stand behind conditions on
-- parameters alone and cost nothing. `in (select …)` stands under `or`, which keeps it a hashed
-- subplan. A key `k` is namespace << 32 | ordinal.
with seen as materialized (
  select array_agg(n.namespace_id) ids, sum(n.live)::float8 live
  from namespace n join level_grant g using (workspace_id, level_id) join level l using (workspace_id, level_id)
  where n.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
    and (%(levels)s::text[] is null
      or case when l.kind in ('workspace', 'global') then l.kind else l.kind || ':' || l.name end = any(%(levels)s::text[]))
    and case when %(namespaces)s::text[] is null then n.access_mode = 'AUTO_QUERY'
      else n.clean_namespace = any(%(namespaces)s::text[]) end
),
-- Items and chunks of the kinds asked for; read only then.
chosen as materialized (
  select i.item_no from item i
  where %(kinds)s::text[] is not null
    and i.workspace_id = %(workspace_id)s and i.namespace_id = any((select ids from seen)::int[]) and i.kind = any(%(kinds)s::text[])
),
allowed as materialized (
  select c.ordinal + (c.namespace_id::bigint << 32) k
  from chunk c
  where %(kinds)s::text[] is not null
    and c.workspace_id = %(workspace_id)s and c.namespace_id = any((select ids from seen)::int[]) and c.layer = any(%(layers)s::smallint[])
    and (c.item_no in (select item_no from chosen) or false)
),
hit as materialized (
  select t.term, t.namespace_id, t.ordinals, t.weights
  from term_segment t
  where %(kinds)s::text[] is null
    and t.workspace_id = %(workspace_id)s and t.term = any(%(terms)s::int[])
    and t.namespace_id = any((select ids from seen)::int[]) and t.layer = any(%(layers)s::smallint[])
  union all
  select p.term, p.namespace_id, array_agg(p.ordinal), array_agg(p.weight)
  from (
    select t.term, t.namespace_id, unnest(t.ordinals) ordinal, unnest(t.weights) weight
    from term_segment t
    where %(kinds)s::text[] is not null
      and t.workspace_id = %(workspace_id)s and t.term = any(%(terms)s::int[])
      and t.namespace_id = any((select ids from seen)::int[]) and t.layer = any(%(layers)s::smallint[])
  ) p
  where p.ordinal + (p.namespace_id::bigint << 32) in (select k from allowed) or false
  group by p.term, p.namespace_id
),
total as materialized (
  select case when %(kinds)s::text[] is null then (select live from seen) else (select count(*) from allowed) end chunks
),
-- Terms of one number stand for one word of the query: what it may have been meant to be. The word
-- can weigh as much as the rarest of them, each adds its share of its own weight.
idf as materialized (
  select w.term, w.word, w.df, w.idf, (w.idf * w.share)::real weight
  from (
    select q.term, q.word, q.share, coalesce(d.df, 0) df,
      ln(1 + (greatest((select chunks from total), coalesce(d.df, 0)) - coalesce(d.df, 0) + 0.5) / (coalesce(d.df, 0) + 0.5))::real idf
    from unnest(%(terms)s::int[], %(words)s::int[], %(shares)s::real[]) q(term, word, share)
    left join (select term, sum(cardinality(ordinals)) df from hit group by term) d using (term)
  ) w
),
vec as materialized (
  select v.ordinal + (v.namespace_id::bigint << 32) k, v.embedding <#> %(vector)s::halfvec d
  from chunk_vector v
  where %(vector)s::halfvec is not null
    and v.workspace_id = %(workspace_id)s and v.namespace_id = any((select ids from seen)::int[])
    and v.card_id = %(card_id)s::smallint and v.layer = any(%(layers)s::smallint[])
    and (%(kinds)s::text[] is null or v.item_no in (select item_no from chosen))
    and (%(only)s::bigint[] is null or v.ordinal + (v.namespace_id::bigint << 32) in (select unnest(%(only)s::bigint[])))
  order by d
  limit 100
),
lex as materialized (
  select k, sum(w)::real s, min(d) d
  from (
    select unnest(h.ordinals) + (h.namespace_id::bigint << 32) k, unnest(h.weights) * i.weight w, null::float8 d
    from hit h join idf i using (term)
    union all
    select k, 0, d from vec
  ) u
  where %(only)s::bigint[] is null or k in (select unnest(%(only)s::bigint[]))
  group by k
),
pool as (
  select k, s, d from lex where d is not null
  union all
  select l.k, l.s, x.d
  from (select k, s from lex where d is null order by s desc limit 100) l
  left join lateral (
    select v.embedding <#> %(vector)s::halfvec d from chunk_vector v
    where %(vector)s::halfvec is not null
      and v.workspace_id = %(workspace_id)s and v.namespace_id = (l.k >> 32)::int
      and v.card_id = %(card_id)s::smallint and v.ordinal = (l.k & 4294967295)::int
    offset 0
  ) x on true
),
best as materialized (
  select (k >> 32)::int namespace_id, (k & 4294967295)::int ordinal, (s / b.reach)::float8 words, -d cosine,
    %(words_weight)s::float8 * s / b.reach + coalesce((-d - %(expected)s::float8) * %(precision)s::float8, 0) rank_score
  from pool, (
    select greatest(%(best_weight)s::float8 * sum(rarest), 1e-6) reach from (select max(idf) rarest from idf group by word) m
  ) b
  order by rank_score desc, k
  limit %(candidates)s
)
select b.words, b.cosine, b.rank_score, array(select term from idf where df > 0) known_terms,
  array(select t.term from unnest(c.terms) t(term) where t.term = any(%(terms)s::int[])) matched_terms,
  c.layer, c.item_id, c.version, c.part, c.sealed_body, i.kind, i.sealed_title, i.sealed_external_id, i.updated_at,
  i.version newest, i.status, v.created_at version_at,
  l.kind level_kind, l.name level_name, n.clean_namespace
from best b
join chunk c on c.workspace_id = %(workspace_id)s and c.namespace_id = b.namespace_id and c.ordinal = b.ordinal
join item i on i.workspace_id = %(workspace_id)s and i.item_id = c.item_id
join item_version v on v.workspace_id = %(workspace_id)s and v.item_id = c.item_id and v.version = c.version
join namespace n on n.workspace_id = %(workspace_id)s and n.namespace_id = b.namespace_id
join level l on l.workspace_id = %(workspace_id)s and l.level_id = n.level_id
order by b.rank_score desc, b.namespace_id, b.ordinal;

-- pinned_notes
-- Pinned notes of each level that is read, the one changed last first, until a level's share of
-- characters is full, and one more. A changed note goes on with the version that serves.
with seen as materialized (
  select n.namespace_id, n.clean_namespace, l.kind level_kind, l.name level_name
  from namespace n join level_grant g using (workspace_id, level_id) join level l using (workspace_id, level_id)
  where n.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
    and (%(levels)s::text[] is null
      or case when l.kind in ('workspace', 'global') then l.kind else l.kind || ':' || l.name end = any(%(levels)s::text[]))
    and case when %(namespaces)s::text[] is null then n.access_mode = 'AUTO_QUERY'
      else n.clean_namespace = any(%(namespaces)s::text[]) end
),
pinned as (
  select i.item_id, i.kind, i.sealed_external_id, i.updated_at, i.version newest, i.status, v.version, v.created_at version_at,
    v.sealed_title, v.sealed_text,
    s.clean_namespace, s.level_kind, s.level_name,
    coalesce(sum(v.characters) over (
      partition by i.level_id order by i.updated_at desc, i.item_id rows between unbounded preceding and 1 preceding), 0) before
  from item i
  join seen s on s.namespace_id = i.namespace_id
  join item_version v on v.workspace_id = i.workspace_id and v.item_id = i.item_id and v.version = i.serving_version
  where i.workspace_id = %(workspace_id)s and i.pinned and i.kind = 'note' and v.sealed_text is not null
)
select item_id, kind, sealed_external_id, updated_at, version, newest, status, version_at, sealed_title, sealed_text,
  clean_namespace, level_kind, level_name
from pinned where before <= %(characters)s
order by level_kind, level_name, updated_at desc, item_id
limit 1000;

-- texts
-- Canonical texts of versions of items that may be read.
select v.item_id, v.version, v.sealed_text
from unnest(%(item_ids)s::bigint[], %(versions)s::int[]) w(item_id, version)
join item_version v on v.workspace_id = %(workspace_id)s and v.item_id = w.item_id and v.version = w.version
join item i on i.workspace_id = v.workspace_id and i.item_id = v.item_id
join level_grant g on g.workspace_id = i.workspace_id and g.level_id = i.level_id
where g.principal_id = %(principal_id)s and g.may_read and v.sealed_text is not null;
