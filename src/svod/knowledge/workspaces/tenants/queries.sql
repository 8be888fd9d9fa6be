-- list_tenants
-- In the order of their ids, which tells nothing; or the one of an id.
select workspace_id, sealed_name, language, created_at, revision from workspace
where kind = 'tenant' and workspace_id > %(after)s
  and (%(workspace_id)s::bigint is null or workspace_id = %(workspace_id)s)
order by workspace_id limit %(limit)s;

-- hold_tenant
-- For changing it: whoever deletes it waits.
select revision from workspace where workspace_id = %(workspace_id)s and kind = 'tenant' for no key update;

-- hold_whole
-- For deleting it: whoever adds a row that refers to the workspace waits too, and finds it gone.
select workspace_id from workspace where workspace_id = %(workspace_id)s and kind = 'tenant' for update;

-- take_time
-- Removing a large workspace may take longer than a statement is given otherwise.
select set_config('statement_timeout', '0', true);

-- change_tenant
update workspace set sealed_name = coalesce(%(sealed_name)s, sealed_name), language = coalesce(%(language)s, language),
  revision = revision + 1
where workspace_id = %(workspace_id)s;

-- release_domains
delete from domain_holder where workspace_id = %(workspace_id)s and holder_id = %(holder_id)s;

-- delete_rows
-- From every table there is; see 0003_people.sql.
select delete_workspace_rows(%(workspace_id)s);
