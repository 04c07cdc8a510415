-- add_members: adds accounts to a list of the viewer, all of them or none: each must be followed,
-- requested or the viewer.
-- $1 viewer bigint
-- $2 list bigint
-- $3 accounts bigint[]
-- rows: none when the viewer has no such list; else how many accounts are unknown, not followed, or
--   on it already
-- plan: no sequential scan
with target as materialized (
  select l.id from lists l where l.id = $2 and l.account_id = $1
), given as materialized (
  select
    input.id,
    f.id as follow_id,
    r.id as follow_request_id,
    not exists (
      select from accounts a
      where a.id = input.id and a.suspended_at is null and a.deletion_requested_at is null and not a.pending
    ) as is_unknown,
    input.id <> $1 and f.id is null and r.id is null as is_unfollowed,
    exists (select from list_accounts m where m.list_id = $2 and m.account_id = input.id) as is_listed
  from unnest((select $3::bigint[])) input (id)
  left join follows f on f.account_id = $1 and f.target_account_id = input.id
  left join follow_requests r on r.account_id = $1 and r.target_account_id = input.id
), verdict as materialized (
  select
    (count(*) filter (where given.is_unknown))::integer as unknown,
    (count(*) filter (where given.is_unfollowed))::integer as unfollowed,
    (count(*) filter (where given.is_listed))::integer as listed
  from given
), added as (
  insert into list_accounts (list_id, account_id, follow_id, follow_request_id)
  select target.id, given.id, given.follow_id, case when given.follow_id is null then given.follow_request_id end
  from target
  cross join verdict
  cross join given
  where verdict.unknown + verdict.unfollowed + verdict.listed = 0
  returning list_accounts.list_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select distinct 'list.changed', $1, added.list_id, '{"change": "members"}'::jsonb from added
  returning event_json(events) as event
)
select verdict.unknown, verdict.unfollowed, verdict.listed, (select jsonb_agg(logged.event) from logged) as events
from target
cross join verdict
