-- People and places: roles, whose a key is, limits to some domains and addresses, and which workspace
-- of this server holds a domain.

alter table workspace add column revision int not null default 1;

-- 'operator' is principal 1 of the system workspace: through it the operator writes the global level.
alter table principal
  drop constraint principal_kind_check,
  add constraint principal_kind_check check (kind in ('member', 'key', 'reader', 'operator')),
  add column role text check (role in ('owner', 'admin', 'member', 'developer', 'viewer', 'billing')),
  add column member_id int,
  add column made_by int,
  add column sealed_email bytea,
  add column email_key bytea,
  add column disabled_at timestamptz,
  add column revision int not null default 1,
  add foreign key (workspace_id, member_id) references principal (workspace_id, principal_id) on delete cascade;

-- A member has a role and a key a member, beyond whom it never goes. What a member may do follows
-- from his role, what a key may do stands in its permissions.
update principal set role = 'owner', permissions = '{}' where kind = 'member';
update principal set member_id = 1, made_by = 1 where kind = 'key';
alter table principal
  add check ((kind = 'member') = (role is not null)),
  add check ((kind = 'key') = (member_id is not null));
create unique index principal_email on principal (workspace_id, email_key) where email_key is not null;
create index principal_member on principal (workspace_id, member_id) where member_id is not null;

-- What someone is limited to, as it was given: domains and addresses. level_grant, which every read
-- consults, follows from it and is written in the same transaction.
create table principal_limit (
  workspace_id bigint not null,
  principal_id int not null,
  level_id int not null,
  may_send boolean not null,
  primary key (workspace_id, principal_id, level_id),
  foreign key (workspace_id, principal_id) references principal (workspace_id, principal_id) on delete cascade,
  foreign key (workspace_id, level_id) references level (workspace_id, level_id) on delete cascade
);
create index principal_limit_level on principal_limit (workspace_id, level_id);
create index level_grant_level on level_grant (workspace_id, level_id);
create index level_parent on level (workspace_id, parent_level_id) where parent_level_id is not null;

-- Which workspace holds a domain. The rows are the system workspace's, so that the name is unique on
-- the server although every key starts with the workspace.
create table domain_holder (
  workspace_id bigint not null references workspace on delete cascade,
  name text not null,
  holder_id bigint not null references workspace on delete cascade,
  primary key (workspace_id, name)
);

-- Every row of a workspace, whatever tables there are by then: those that refer to others go first.
create function delete_workspace_rows(gone bigint) returns void language plpgsql as $$
declare
  each regclass;
begin
  perform set_config('svod.going', gone::text, true);
  for each in
    with recursive ours as (
      select c.oid from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
      where c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace = (select relnamespace from pg_class where oid = 'workspace'::regclass)
    ),
    depth (oid, steps) as (
      select oid, 0 from ours
      union
      select r.conrelid, d.steps + 1
      from depth d
      join pg_constraint r on r.confrelid = d.oid and r.contype = 'f' and r.conrelid <> r.confrelid
      where d.steps < 30
    )
    select d.oid from depth d join ours using (oid) group by d.oid order by max(d.steps) desc
  loop
    execute format('delete from %s where workspace_id = $1', each) using gone;
  end loop;
end $$;
