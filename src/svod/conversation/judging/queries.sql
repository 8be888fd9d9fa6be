-- items_to_judge
-- The items that the principal may read, with their collections; may_send tells if he may judge there.
select i.item_id, i.namespace_id, g.may_send, l.kind level_kind, l.name level_name
from item i join level_grant g using (workspace_id, level_id) join level l using (workspace_id, level_id)
where i.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
  and i.item_id = any(%(item_ids)s::bigint[]);

-- put_judgements
-- A question that was judged in its collection before keeps its row, with the new judgement.
insert into judgement (workspace_id, judgement_id, namespace_id, item_id, sealed_question, question_key, created_by, created_at)
select %(workspace_id)s, j.judgement_id, j.namespace_id, j.item_id, j.sealed_question, j.question_key, %(principal_id)s, %(now)s
from unnest(%(judgement_ids)s::bigint[], %(namespace_ids)s::int[], %(item_ids)s::bigint[], %(sealed_questions)s::bytea[],
  %(question_keys)s::bytea[]) j(judgement_id, namespace_id, item_id, sealed_question, question_key)
on conflict (workspace_id, namespace_id, question_key)
do update set item_id = excluded.item_id, created_by = excluded.created_by, created_at = excluded.created_at
returning judgement_id;

-- list_judgements
-- Newest first. One whose item was moved counts, and is seen, where the item lies now.
select j.judgement_id, j.item_id, j.sealed_question, j.created_by, j.created_at, n.namespace_id,
  l.kind level_kind, l.name level_name, n.clean_namespace, g.may_send
from judgement j
left join item i on i.workspace_id = j.workspace_id and i.item_id = j.item_id
join namespace n on n.workspace_id = j.workspace_id and n.namespace_id = coalesce(i.namespace_id, j.namespace_id)
join level l on l.workspace_id = j.workspace_id and l.level_id = n.level_id
join level_grant g on g.workspace_id = j.workspace_id and g.level_id = n.level_id
where j.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
  and (%(judgement_ids)s::bigint[] is null or j.judgement_id = any(%(judgement_ids)s::bigint[]))
  and (%(level_kind)s::text is null or (l.kind = %(level_kind)s and l.name = %(level_name)s))
  and (%(namespace)s::text is null or n.clean_namespace = %(namespace)s)
  and (%(item_id)s::bigint is null or j.item_id = %(item_id)s)
  and (%(before)s::bigint is null or j.judgement_id < %(before)s)
order by j.judgement_id desc
limit %(limit)s;

-- delete_judgement
delete from judgement where workspace_id = %(workspace_id)s and judgement_id = %(judgement_id)s;

-- list_fits
-- What was fitted to the judged questions of each collection that the principal may read.
select l.kind level_kind, l.name level_name, n.clean_namespace, f.languages, f.answerable, f.unanswerable, f.threshold, f.fitted_at
from judged_fit f join namespace n using (workspace_id, namespace_id) join level l using (workspace_id, level_id)
join level_grant g using (workspace_id, level_id)
where f.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
order by l.kind, l.name, n.clean_namespace, f.languages;

-- collections_of_items
-- Where questions are judged by these items.
select distinct i.namespace_id from judgement j join item i using (workspace_id, item_id)
where j.workspace_id = %(workspace_id)s and j.item_id = any(%(item_ids)s::bigint[]);

-- collection
-- A collection, and someone who reads its level: a fit shows no text to anyone, but is made by searching.
select n.clean_namespace, l.kind level_kind, l.name level_name,
  (select min(g.principal_id) from level_grant g
   where g.workspace_id = n.workspace_id and g.level_id = n.level_id and g.may_read)::int reader_id
from namespace n join level l using (workspace_id, level_id)
where n.workspace_id = %(workspace_id)s and n.namespace_id = %(namespace_id)s;

-- judged_in
-- The questions that count for a collection, the newest first.
select j.judgement_id, j.item_id, j.sealed_question
from judgement j left join item i on i.workspace_id = j.workspace_id and i.item_id = j.item_id
where j.workspace_id = %(workspace_id)s and coalesce(i.namespace_id, j.namespace_id) = %(namespace_id)s
order by j.judgement_id desc
limit %(limit)s;

-- drop_fits
delete from judged_fit where workspace_id = %(workspace_id)s and namespace_id = %(namespace_id)s;

-- insert_fits
insert into judged_fit (workspace_id, namespace_id, languages, basis, answerable, unanswerable, threshold, intercept, slope, fitted_at)
select %(workspace_id)s, %(namespace_id)s, f.languages, f.basis, f.answerable, f.unanswerable, f.threshold, f.intercept, f.slope, %(now)s
from unnest(%(languages)s::text[], %(bases)s::text[], %(answerable)s::int[], %(unanswerable)s::int[], %(thresholds)s::float8[],
  %(intercepts)s::float8[], %(slopes)s::float8[]) f(languages, basis, answerable, unanswerable, threshold, intercept, slope);
