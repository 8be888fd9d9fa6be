-- insert_member
insert into principal (workspace_id, principal_id, kind, permissions, role, made_by, sealed_name, sealed_email, email_key, created_at)
values (%(workspace_id)s, %(principal_id)s, 'member', '{}', %(role)s, %(made_by)s, %(sealed_name)s, %(sealed_email)s, %(email_key)s,
  %(now)s);

-- find_by_email
select principal_id from principal
where workspace_id = %(workspace_id)s and email_key = %(email_key)s and kind = 'member';

-- list_members
-- In the order they came, each with how many of his keys could still be used; or the one of a number.
select p.principal_id, p.role, p.operator as operator, p.limited, p.sealed_name, p.sealed_email, p.disabled_at, p.created_at, p.revision,
  (select count(*) from principal k
   where k.workspace_id = p.workspace_id and k.member_id = p.principal_id and k.revoked_at is null
     and (k.expires_at is null or k.expires_at > %(now)s))::int keys
from principal p
where p.workspace_id = %(workspace_id)s and p.kind = 'member' and p.principal_id > %(after)s
  and (%(principal_id)s::int is null or p.principal_id = %(principal_id)s)
order by p.principal_id limit %(limit)s;

-- change_member
-- What is null stays as it is, but for the moment of disabling, which is given whole.
update principal set role = coalesce(%(role)s, role), sealed_name = coalesce(%(sealed_name)s, sealed_name),
  sealed_email = coalesce(%(sealed_email)s, sealed_email), email_key = coalesce(%(email_key)s, email_key),
  disabled_at = %(disabled_at)s, revision = revision + 1
where workspace_id = %(workspace_id)s and principal_id = %(principal_id)s and kind = 'member';

-- other_owners
select count(*)::int from principal
where workspace_id = %(workspace_id)s and kind = 'member' and role = 'owner' and disabled_at is null
  and principal_id <> %(principal_id)s;

-- delete_member
-- His keys, limits and grants go with him.
delete from principal
where workspace_id = %(workspace_id)s and principal_id = %(principal_id)s and kind = 'member';

-- rename_login
update login set login_key = %(login_key)s
where workspace_id = %(system_id)s and holder_id = %(workspace_id)s and principal_id = %(principal_id)s;
