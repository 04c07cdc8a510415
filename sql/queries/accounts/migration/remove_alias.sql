-- remove_alias: removes an alias of an account, by its own id.
-- $1 account bigint
-- $2 alias bigint
-- rows: none when there is no such one
-- plan: no sequential scan
with removed as (
  delete from account_aliases x where x.id = $2 and x.account_id = $1 returning x.id, x.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', removed.account_id, '{"change": "aliases"}'::jsonb from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
