-- add_alias: names another account of the same person. Run under lock_account.
-- $1 account bigint
-- $2 alias bigint
-- $3 limit integer
-- rows: one; added: false when there are too many, or it was there already
-- plan: no sequential scan
with added as (
  insert into account_aliases (account_id, alias_account_id)
  select $1, $2
  where (select count(*) from account_aliases x where x.account_id = $1) < $3::integer
  on conflict do nothing
  returning account_aliases.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', added.account_id, '{"change": "aliases"}'::jsonb from added
  returning event_json(events) as event
)
select exists (select from added) as added, (select jsonb_agg(logged.event) from logged) as events
