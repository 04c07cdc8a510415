-- add_recipient: lets the owner of an inbox see a status that was delivered there without
-- mentioning the owner.
-- $1 status bigint
-- $2 account bigint
-- rows: none when nothing has changed, else one
-- plan: no sequential scan
with added as (
  insert into mentions (status_id, account_id, silent)
  select s.id, a.id, true
  from statuses s
  join accounts a on a.id = $2 and a.domain is null
  where s.id = $1 and s.account_id <> a.id
  on conflict (status_id, account_id) do nothing
  returning mentions.status_id, mentions.account_id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.counted', added.account_id, added.status_id, '{}'::jsonb from added
  returning event_json(events) as event
)
select jsonb_agg(logged.event) as events from logged having count(*) > 0
