-- insert_entry
insert into audit (workspace_id, audit_id, at, principal_id, action, subject_id, sealed_facts)
values (%(workspace_id)s, %(audit_id)s, %(at)s, %(principal_id)s, %(action)s, %(subject_id)s, %(sealed_facts)s);

-- list_entries
-- By the key, newest first; for admins only, who are never limited to some levels.
select a.audit_id, a.at, a.principal_id, a.action, a.subject_id, a.sealed_facts, p.sealed_name
from audit a
left join principal p on p.workspace_id = a.workspace_id and p.principal_id = a.principal_id
where a.workspace_id = %(workspace_id)s
  and (%(action)s::text is null or a.action = %(action)s)
  and (%(since)s::timestamptz is null or a.at >= %(since)s)
  and (%(until)s::timestamptz is null or a.at < %(until)s)
  and (%(before)s::bigint is null or a.audit_id < %(before)s)
order by a.audit_id desc
limit %(limit)s;
