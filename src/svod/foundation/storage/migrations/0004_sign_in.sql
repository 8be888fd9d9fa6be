-- Signing in with e-mail and password, and the log of who did what.

-- Who signs in with which e-mail. The rows are the system workspace's, since whoever signs in names no
-- workspace; one person may be a member of several, with a password in each.
create table login (
  workspace_id bigint not null references workspace on delete cascade,
  login_key bytea not null,
  holder_id bigint not null,
  principal_id int not null,
  password_hash text not null,
  changed_at timestamptz not null,
  primary key (workspace_id, login_key, holder_id),
  unique (holder_id, principal_id),
  foreign key (holder_id, principal_id) references principal (workspace_id, principal_id) on delete cascade
);

-- A browser that signed in; its cookie names the workspace, and the same secret may stand in several.
create table web_session (
  workspace_id bigint not null,
  secret_hash bytea not null,
  principal_id int not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, secret_hash),
  foreign key (workspace_id, principal_id) references principal (workspace_id, principal_id) on delete cascade
);
create index web_session_principal on web_session (workspace_id, principal_id);

-- A link by which a member sets a password: one a member, single use.
create table invitation (
  workspace_id bigint not null,
  principal_id int not null,
  secret_hash bytea not null,
  expires_at timestamptz not null,
  primary key (workspace_id, principal_id),
  unique (workspace_id, secret_hash),
  foreign key (workspace_id, principal_id) references principal (workspace_id, principal_id) on delete cascade
);

-- Attempts to sign in, by e-mail and by address, both as keyed hashes; the rows are the system workspace's.
create table attempt (
  workspace_id bigint not null references workspace on delete cascade,
  name_key bytea not null,
  began_at timestamptz not null,
  count int not null,
  primary key (workspace_id, name_key)
);

create table audit (
  workspace_id bigint not null references workspace on delete cascade,
  audit_id bigint not null,
  at timestamptz not null,
  principal_id int not null,
  action text not null,
  subject_id bigint,
  sealed_facts bytea not null,
  primary key (workspace_id, audit_id)
);

-- What was done stays done: no row is changed but to seal it anew, and none goes but with its workspace.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('svod.going', true) = old.workspace_id::text then
    return old;
  end if;
  if tg_op = 'UPDATE' and (new.workspace_id, new.audit_id, new.at, new.principal_id, new.action) =
    (old.workspace_id, old.audit_id, old.at, old.principal_id, old.action) and new.subject_id is not distinct from old.subject_id
  then
    return new;
  end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_stays before update or delete on audit for each row execute function refuse_audit_change();
