-- follow: a remote account follows a local one or requests to. Run under accounts/lock_pair.
-- $1 follower bigint
-- $2 target bigint
-- $3 uri text
-- rows: none when there is no such local account; else one; outcome: followed (also when it
--   followed before: repeated), requested, refused
-- plan: no sequential scan
with target as materialized (
  select
    a.id,
    a.locked or f.silenced_at is not null as asks,
    a.moved_to_account_id is not null or a.suspended_at is not null
      or exists (select from blocks b where b.account_id = a.id and b.target_account_id = $1)
      or exists (select from blocks b where b.account_id = $1 and b.target_account_id = a.id)
      or exists (select from account_domain_blocks d where d.account_id = a.id and d.domain = f.domain) as refused,
    exists (select from follows o where o.account_id = $1 and o.target_account_id = a.id) as followed
  from accounts a
  cross join accounts f
  where a.id = $2 and a.domain is null and f.id = $1 and a.deletion_requested_at is null and not a.pending
), decided as materialized (
  select
    target.id, target.followed,
    case when target.refused then 'refused' when target.followed or not target.asks then 'followed' else 'requested' end as outcome
  from target
), followed as (
  insert into follows (account_id, target_account_id, uri)
  select $1, decided.id, $3 from decided where decided.outcome = 'followed' and not decided.followed
  returning follows.id
), renamed as (
  update follows f set uri = $3 from decided
  where decided.followed and decided.outcome = 'followed' and f.account_id = $1 and f.target_account_id = decided.id
), answered as (
  delete from follow_requests r using decided
  where decided.outcome = 'followed' and r.account_id = $1 and r.target_account_id = decided.id
), requested as (
  insert into follow_requests as r (account_id, target_account_id, uri)
  select $1, decided.id, $3 from decided where decided.outcome = 'requested'
  on conflict (account_id, target_account_id) do update set uri = excluded.uri
  returning r.id, r.xmax = 0 as is_new
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1::bigint, $2::bigint, '{"change": "follow"}'::jsonb from followed
  union all
  select 'relationship.changed', $1, $2, '{"change": "request"}' from requested where requested.is_new
  returning event_json(events) as event
), notified as materialized (
  select notify($2, $1, 'follow', null, followed.id) as event from followed
  union all
  select notify($2, $1, 'follow_request', null, requested.id) from requested where requested.is_new
)
select decided.outcome, decided.followed as repeated, (
  select jsonb_agg(one.event)
  from (select logged.event from logged union all select notified.event from notified where notified.event is not null) one
) as events
from decided
