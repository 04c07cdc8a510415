-- follow_all: makes up to 200 local accounts follow an account that they do not follow yet. Omits
-- accounts that are suspended, pending, being deleted or moved, and those with a block either way.
-- A request becomes the follow, with its options and list memberships. The account is notified of
-- each follow, without e-mails, which may be thousands.
-- $1 target bigint
-- $2 after bigint
-- rows: one; last: the last account read, after which the next call begins; null when there are no
--   more
-- plan: no sequential scan; 200 accounts by key
with unmailed as materialized (
  select set_config('millrace.unmailed', 'on', true) as setting
), examined as materialized (
  select a.id, a.suspended_at is null and not a.pending and a.deletion_requested_at is null and a.moved_to_account_id is null as acts
  from unmailed cross join accounts a
  where unmailed.setting = 'on' and a.domain is null and a.id > $2
  order by a.id
  limit 200
), followed as (
  insert into follows (account_id, target_account_id, show_reblogs, notify, languages, uri)
  select examined.id, $1, coalesce(r.show_reblogs, true), coalesce(r.notify, false), r.languages, r.uri
  from examined
  left join follow_requests r on r.account_id = examined.id and r.target_account_id = $1
  where examined.acts and examined.id <> $1
    and exists (select from users u where u.account_id = examined.id)
    and not exists (
      select from blocks b
      where (b.account_id = examined.id and b.target_account_id = $1) or (b.account_id = $1 and b.target_account_id = examined.id)
    )
  order by examined.id
  on conflict do nothing
  returning follows.id, follows.account_id
), unrequested as (
  delete from follow_requests r using followed where r.account_id = followed.account_id and r.target_account_id = $1
  returning r.id as request_id, followed.id as follow_id
), listed as (
  update list_accounts m set follow_id = unrequested.follow_id, follow_request_id = null
  from unrequested
  where m.follow_request_id = unrequested.request_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', followed.account_id, $1, '{"change": "follow"}' from followed
  returning event_json(events) as event
), notified as materialized (
  select notify($1, followed.account_id, 'follow', null, followed.id) as event from followed
)
select
  (select max(examined.id) from examined) as last,
  (select count(*) from followed)::integer as followed,
  (
    select jsonb_agg(one.event)
    from (select logged.event from logged union all select notified.event from notified where notified.event is not null) one
  ) as events
