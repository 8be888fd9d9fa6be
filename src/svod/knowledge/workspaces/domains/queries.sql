-- hold_domain
-- Says which workspace holds a domain; nothing happens where one does already. Two that try at once
-- wait for each other here.
insert into domain_holder (workspace_id, name, holder_id) values (%(workspace_id)s, %(name)s, %(holder_id)s)
on conflict (workspace_id, name) do nothing;

-- release_domain
delete from domain_holder
where workspace_id = %(workspace_id)s and name = %(name)s and holder_id = %(holder_id)s;

-- find_levels
-- Levels of these kinds and names, in the order asked.
select l.level_id, l.kind, l.name
from unnest(%(kinds)s::text[], %(names)s::text[]) with ordinality n (kind, name, position)
join level l on l.workspace_id = %(workspace_id)s and l.kind = n.kind and l.name = n.name
order by n.position;

-- list_domains
-- In the order registered; items of the domain and of its addresses. Index: the primary key, level_parent.
select d.level_id, d.name, d.created_at,
  (select count(*) from level a join level p on p.workspace_id = a.workspace_id and p.level_id = a.parent_level_id
   where a.workspace_id = d.workspace_id and a.kind = 'address' and d.level_id in (p.level_id, p.parent_level_id))::int addresses,
  (select count(*)
   from (
     select d.level_id
     union all
     select a.level_id from level a where a.workspace_id = d.workspace_id and a.parent_level_id = d.level_id
     union all
     select b.level_id from level a join level b on b.workspace_id = a.workspace_id and b.parent_level_id = a.level_id
     where a.workspace_id = d.workspace_id and a.parent_level_id = d.level_id
   ) u
   join namespace n on n.workspace_id = d.workspace_id and n.level_id = u.level_id
   join item i on i.workspace_id = n.workspace_id and i.namespace_id = n.namespace_id)::int items
from level d
where d.workspace_id = %(workspace_id)s and d.kind = 'domain' and d.level_id > %(after)s
  and (%(level_id)s::int is null or d.level_id = %(level_id)s)
order by d.level_id limit %(limit)s;

-- list_addresses
-- In the order registered, of one domain or of all.
select a.level_id, a.name, case when p.kind = 'domain' then p.name else d.name end domain,
  case when p.kind = 'address' then p.name end base, a.created_at,
  (select count(*) from namespace n join item i on i.workspace_id = n.workspace_id and i.namespace_id = n.namespace_id
   where n.workspace_id = a.workspace_id and n.level_id = a.level_id)::int items
from level a
join level p on p.workspace_id = a.workspace_id and p.level_id = a.parent_level_id
left join level d on d.workspace_id = p.workspace_id and d.level_id = p.parent_level_id and p.kind = 'address'
where a.workspace_id = %(workspace_id)s and a.kind = 'address' and a.level_id > %(after)s
  and (%(level_id)s::int is null or a.level_id = %(level_id)s)
  and (%(domain)s::text is null or %(domain)s = case when p.kind = 'domain' then p.name else d.name end)
order by a.level_id limit %(limit)s;

-- levels_below
-- A domain or address of this id and what stands on it: itself first, then addresses, then plus-addresses.
with recursive below as (
  select level_id, kind, name, 0 steps from level
  where workspace_id = %(workspace_id)s and level_id = %(level_id)s and kind = %(kind)s
  union all
  select l.level_id, l.kind, l.name, b.steps + 1
  from below b join level l on l.workspace_id = %(workspace_id)s and l.parent_level_id = b.level_id
)
select level_id, kind, name from below order by steps, level_id;

-- delete_levels
-- Namespaces, limits and grants go with their levels.
delete from level where workspace_id = %(workspace_id)s and level_id = any(%(level_ids)s::int[]);
