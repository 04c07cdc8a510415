-- endorse: the viewer features an account that it follows. Run under lock_pair.
-- $1 viewer bigint
-- $2 target bigint
-- rows: one; followed: false when the viewer does not follow it, and nothing is done; events is
--   null when it was featured already
-- plan: no sequential scan
with followed as (
  select f.target_account_id from follows f where f.account_id = $1 and f.target_account_id = $2
), endorsed as (
  insert into endorsements (account_id, target_account_id)
  select $1, followed.target_account_id from followed
  on conflict (account_id, target_account_id) do nothing
  returning endorsements.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1, $2, '{"change": "endorse"}'::jsonb from endorsed
  returning event_json(events) as event
)
select exists (select from followed) as followed, (select jsonb_agg(logged.event) from logged) as events
