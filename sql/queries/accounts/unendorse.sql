-- unendorse: the viewer no longer features an account.
-- $1 viewer bigint
-- $2 target bigint
-- rows: one; events is null when it was not featured
-- plan: no sequential scan
with unendorsed as (
  delete from endorsements e where e.account_id = $1 and e.target_account_id = $2 returning e.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1, $2, '{"change": "unendorse"}'::jsonb from unendorsed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
