-- follow: the viewer follows an account, requests to follow it, or changes the options of an
-- existing follow or request. Null options stay unchanged or get their defaults. Run under
-- lock_pair.
-- $1 viewer bigint
-- $2 target bigint
-- $3 reblogs boolean
-- $4 notify boolean
-- $5 languages text[]
-- $6 sets_languages boolean
-- $7 may_begin boolean
-- $8 threshold integer
-- $9 ratio float8
-- rows: none when the account is hidden from everybody; else one; outcome: followed, requested,
--   changed (an option of an existing one), refused (a block, a move), limited (too many follows;
--   `maximum` is the limit: $8, beyond that $9 times the followers), exhausted (too many recently:
--   $7 is false)
-- plan: no sequential scan
with caller as (
  select a.silenced_at is not null as silenced, coalesce(s.following_count, 0) as following,
    case
      when coalesce(s.following_count, 0) < $8::integer then $8
      else greatest($8, round(coalesce(s.followers_count, 0) * $9::float8)::integer)
    end as maximum
  from accounts a
  left join account_stats s on s.account_id = a.id
  where a.id = $1
), target as (
  select
    a.id,
    a.locked or a.domain is not null or caller.silenced as asks,
    a.moved_to_account_id is not null
      or exists (select from blocks b where b.account_id = $1 and b.target_account_id = a.id)
      or exists (select from blocks b where b.account_id = a.id and b.target_account_id = $1)
      or exists (select from account_domain_blocks d where d.account_id = $1 and d.domain = a.domain) as refused,
    exists (select from follows f where f.account_id = $1 and f.target_account_id = a.id) as followed,
    exists (select from follow_requests r where r.account_id = $1 and r.target_account_id = a.id) as requested,
    caller.following >= caller.maximum as limited,
    caller.maximum
  from accounts a
  cross join caller
  where a.id = $2 and a.suspended_at is null and a.deletion_requested_at is null and not a.pending
), decided as (
  select target.id, target.maximum,
    case
      when target.refused then 'refused'
      when target.followed or target.requested then 'changed'
      when not $7::boolean then 'exhausted'
      when target.limited then 'limited'
      when target.asks then 'requested'
      else 'followed'
    end as outcome
  from target
), options as (
  select coalesce($3::boolean, true) as reblogs, coalesce($4::boolean, false) as notify, $5::text[] as languages
), followed as (
  insert into follows (account_id, target_account_id, show_reblogs, notify, languages)
  select $1, decided.id, options.reblogs, options.notify, options.languages
  from decided cross join options
  where decided.outcome = 'followed'
  returning follows.id
), requested as (
  insert into follow_requests (account_id, target_account_id, show_reblogs, notify, languages)
  select $1, decided.id, options.reblogs, options.notify, options.languages
  from decided cross join options
  where decided.outcome = 'requested'
  returning follow_requests.id
), changed_follow as (
  update follows f
  set show_reblogs = coalesce($3, f.show_reblogs), notify = coalesce($4, f.notify),
    languages = case when $6::boolean then $5 else f.languages end
  from decided
  where decided.outcome = 'changed' and f.account_id = $1 and f.target_account_id = decided.id
    and (coalesce($3, f.show_reblogs), coalesce($4, f.notify), case when $6 then $5 else f.languages end)
      is distinct from (f.show_reblogs, f.notify, f.languages)
  returning f.id
), changed_request as (
  update follow_requests r
  set show_reblogs = coalesce($3, r.show_reblogs), notify = coalesce($4, r.notify),
    languages = case when $6 then $5 else r.languages end
  from decided
  where decided.outcome = 'changed' and r.account_id = $1 and r.target_account_id = decided.id
    and (coalesce($3, r.show_reblogs), coalesce($4, r.notify), case when $6 then $5 else r.languages end)
      is distinct from (r.show_reblogs, r.notify, r.languages)
  returning r.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1::bigint, $2::bigint, '{"change": "follow"}'::jsonb from followed
  union all
  select 'relationship.changed', $1, $2, '{"change": "request"}' from requested
  union all
  select 'relationship.changed', $1, $2, '{"change": "follow_options"}'
  from (select changed_follow.id from changed_follow union all select changed_request.id from changed_request) changed
  returning event_json(events) as event
), notified as (
  select notify($2, $1, 'follow', null, followed.id) as event from followed
  union all
  select notify($2, $1, 'follow_request', null, requested.id) from requested
)
select decided.outcome, decided.maximum::integer as maximum, (
  select jsonb_agg(one.event)
  from (select logged.event from logged union all select notified.event from notified where notified.event is not null) one
) as events
from decided
