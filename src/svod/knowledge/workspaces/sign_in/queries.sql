-- list_logins
-- Of those who may act: a member who is disabled does not sign in.
select l.holder_id, l.principal_id, l.password_hash, p.sealed_email, p.email_key
from login l
join principal p on p.workspace_id = l.holder_id and p.principal_id = l.principal_id
where l.workspace_id = %(workspace_id)s and l.login_key = %(login_key)s and p.disabled_at is null
order by l.changed_at desc
limit %(most)s;

-- find_login
select l.holder_id, l.principal_id, l.password_hash, p.sealed_email, p.email_key
from principal p
join login l on l.holder_id = p.workspace_id and l.principal_id = p.principal_id
where p.workspace_id = %(workspace_id)s and p.principal_id = %(principal_id)s and l.workspace_id = %(system_id)s;

-- put_login
with gone as (delete from login where workspace_id = %(system_id)s and holder_id = %(workspace_id)s and principal_id = %(principal_id)s
  and login_key <> %(login_key)s)
insert into login (workspace_id, login_key, holder_id, principal_id, password_hash, changed_at)
values (%(system_id)s, %(login_key)s, %(workspace_id)s, %(principal_id)s, %(password_hash)s, %(now)s)
on conflict (workspace_id, login_key, holder_id)
do update set principal_id = excluded.principal_id, password_hash = excluded.password_hash, changed_at = excluded.changed_at;

-- insert_session
insert into web_session (workspace_id, secret_hash, principal_id, created_at, last_seen_at, expires_at)
values (%(workspace_id)s, %(secret_hash)s, %(principal_id)s, %(now)s, %(now)s, %(expires_at)s);

-- use_session
-- Seen is noted once a minute: a write for each request would cost more than the request.
with found as (
  select workspace_id, secret_hash, principal_id, last_seen_at from web_session
  where workspace_id = %(workspace_id)s and secret_hash = %(secret_hash)s
    and expires_at > %(now)s and last_seen_at > %(idle_since)s
), noted as (
  update web_session s set last_seen_at = %(now)s
  from found f
  where s.workspace_id = f.workspace_id and s.secret_hash = f.secret_hash and f.last_seen_at < %(now)s - interval '1 minute'
)
select principal_id from found;

-- list_sessions
-- From the entered workspace to the others by the e-mail that he signed in with.
select s.workspace_id, s.principal_id, s.expires_at
from web_session entered
join login mine on mine.workspace_id = %(system_id)s and mine.holder_id = entered.workspace_id and mine.principal_id = entered.principal_id
join login other on other.workspace_id = mine.workspace_id and other.login_key = mine.login_key
join web_session s on s.workspace_id = other.holder_id and s.secret_hash = entered.secret_hash and s.principal_id = other.principal_id
where entered.workspace_id = %(workspace_id)s and entered.secret_hash = %(secret_hash)s and s.expires_at > %(now)s
order by (s.workspace_id = entered.workspace_id) desc, s.workspace_id;

-- end_session
delete from web_session where workspace_id = %(workspace_id)s and secret_hash = %(secret_hash)s;

-- end_sessions
delete from web_session
where workspace_id = %(workspace_id)s and principal_id = %(principal_id)s and secret_hash <> %(kept)s;

-- put_invitation
insert into invitation (workspace_id, principal_id, secret_hash, expires_at)
values (%(workspace_id)s, %(principal_id)s, %(secret_hash)s, %(expires_at)s)
on conflict (workspace_id, principal_id)
do update set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at;

-- find_invitation
select i.principal_id, p.sealed_email
from invitation i join principal p using (workspace_id, principal_id)
where i.workspace_id = %(workspace_id)s and i.secret_hash = %(secret_hash)s and i.expires_at > %(now)s and p.disabled_at is null;

-- spend_invitation
delete from invitation
where workspace_id = %(workspace_id)s and secret_hash = %(secret_hash)s and expires_at > %(now)s;

-- count_attempts
insert into attempt (workspace_id, name_key, began_at, count)
select %(workspace_id)s, name_key, %(now)s, 1 from unnest(%(name_keys)s::bytea[]) name_key
on conflict (workspace_id, name_key) do update set
  began_at = case when attempt.began_at < %(window_began)s then excluded.began_at else attempt.began_at end,
  count = case when attempt.began_at < %(window_began)s then 1 else attempt.count + 1 end
returning name_key, count;

-- forget_attempts
delete from attempt
where workspace_id = %(workspace_id)s and (name_key = %(name_key)s or began_at < now() - interval '1 day');
