-- mute: the viewer mutes an account, or changes the options of a mute. When notifications are muted
-- too, removes the account's notifications, its notification request and the conversations with it.
-- $1 viewer bigint
-- $2 target bigint
-- $3 notifications boolean
-- $4 duration integer
-- rows: one; the expiry is null when there is none
-- plan: no sequential scan
with muted as (
  insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
  values ($1, $2, $3, case when $4::integer > 0 then now() + make_interval(secs => $4) end)
  on conflict (account_id, target_account_id) do update
  set hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at
  returning mutes.expires_at
), dismissed as (
  delete from notifications n where n.account_id = $1 and n.from_account_id = $2 and $3
), unrequested as (
  delete from notification_requests r where r.account_id = $1 and r.from_account_id = $2 and $3
), without_language as (
  delete from account_conversations v where v.account_id = $1 and $2 = any (v.participant_account_ids) and $3
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1, $2, '{"change": "mute"}'::jsonb
  returning event_json(events) as event
)
select muted.expires_at, (select jsonb_agg(logged.event) from logged) as events from muted
