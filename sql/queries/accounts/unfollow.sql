-- unfollow: removes the viewer's follow or request, and with it the account's list memberships and
-- endorsement. Run under lock_pair.
-- $1 viewer bigint
-- $2 target bigint
-- rows: one; events is null when there was nothing to remove
-- plan: no sequential scan
with listed as (
  select l.id
  from lists l
  join list_accounts m on m.list_id = l.id
  where l.account_id = $1 and m.account_id = $2 and l.account_id <> m.account_id
), unfollowed as (
  delete from follows f where f.account_id = $1 and f.target_account_id = $2 returning f.id
), revoked as (
  delete from follow_requests r where r.account_id = $1 and r.target_account_id = $2 returning r.id
), unlisted as (
  delete from list_accounts m using listed
  where m.list_id = listed.id and m.account_id = $2
    and (exists (select from unfollowed) or exists (select from revoked))
  returning m.list_id
), logged as (
  insert into events (kind, actor_id, account_id, object_id, data)
  select 'relationship.changed', $1::bigint, $2::bigint, null::bigint, '{"change": "unfollow"}'::jsonb from unfollowed
  union all
  select 'relationship.changed', $1, $2, null, '{"change": "unrequest"}' from revoked
  union all
  select 'list.changed', null, $1, unlisted.list_id, '{"change": "members"}' from unlisted
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
