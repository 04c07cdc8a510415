-- authorize_request: turns an account's request to follow the viewer into a follow, with its
-- options and list memberships. Run under lock_pair.
-- $1 viewer bigint
-- $2 requester bigint
-- rows: none when there is no request, else one
-- plan: no sequential scan
with accepted as (
  delete from follow_requests r using accounts a
  where r.account_id = $2 and r.target_account_id = $1 and a.id = r.account_id
    and a.suspended_at is null and a.deletion_requested_at is null
  returning r.id, r.account_id, r.target_account_id, r.show_reblogs, r.notify, r.languages, r.uri
), followed as (
  insert into follows as f (account_id, target_account_id, show_reblogs, notify, languages, uri)
  select accepted.account_id, accepted.target_account_id, accepted.show_reblogs, accepted.notify, accepted.languages,
    accepted.uri
  from accepted
  on conflict (account_id, target_account_id) do update set show_reblogs = excluded.show_reblogs
  returning f.id
), listed as (
  update list_accounts m set follow_id = followed.id, follow_request_id = null
  from accepted cross join followed
  where m.follow_request_id = accepted.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', accepted.account_id, accepted.target_account_id, '{"change": "follow"}'::jsonb
  from accepted
  returning event_json(events) as event
), notified as (
  select notify($1, $2, 'follow', null, followed.id) as event from followed
)
select accepted.id, (
  select jsonb_agg(one.event)
  from (select logged.event from logged union all select notified.event from notified where notified.event is not null) one
) as events
from accepted
