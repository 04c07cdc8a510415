-- revoke_follow: a remote account undoes its Accept of a local account's Follow, which becomes a
-- request again, with its options and list memberships. Run under accounts/lock_pair.
-- $1 follower bigint
-- $2 target bigint
-- rows: none when there is no such follow, else one
-- plan: no sequential scan
with ended as (
  delete from follows f where f.account_id = $1 and f.target_account_id = $2
  returning f.id, f.show_reblogs, f.notify, f.languages, f.uri
), requested as (
  insert into follow_requests as r (account_id, target_account_id, show_reblogs, notify, languages, uri)
  select $1, $2, ended.show_reblogs, ended.notify, ended.languages, ended.uri from ended
  on conflict (account_id, target_account_id) do update set show_reblogs = excluded.show_reblogs
  returning r.id
), listed as (
  update list_accounts m set follow_id = null, follow_request_id = requested.id
  from ended cross join requested
  where m.follow_id = ended.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1::bigint, $2::bigint, '{"change": "unfollow"}'::jsonb from ended
  union all
  select 'relationship.changed', $1, $2, '{"change": "request"}' from requested
  returning event_json(events) as event
)
select true as revoked, (select jsonb_agg(logged.event) from logged) as events from ended
