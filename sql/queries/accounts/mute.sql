-- mute: the viewer mutes an account, or changes the options of a mute. When notifications are muted
-- too, removes the account's notifications, its notification request and the conversations with it;
-- not by repeating a mute with the duration null, which leaves the end of the present one.
-- $1 viewer bigint
-- $2 target bigint
-- $3 notifications boolean
-- $4 duration integer
-- rows: one; the expiry is null when there is none
-- plan: no sequential scan
with repeated as materialized (
  select from mutes m where m.account_id = $1 and m.target_account_id = $2 and m.hide_notifications and $4::integer is null
    and (m.expires_at is null or m.expires_at > now())
), muted as (
  insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
  values ($1, $2, $3, case when $4::integer > 0 then now() + make_interval(secs => $4) end)
  on conflict (account_id, target_account_id) do update
  set hide_notifications = excluded.hide_notifications,
    expires_at = case when $4 is null and mutes.expires_at > now() then mutes.expires_at else excluded.expires_at end
  returning mutes.expires_at
), dismissed as (
  delete from notifications n where n.account_id = $1 and n.from_account_id = $2 and $3 and not exists (select from repeated)
), unrequested as (
  delete from notification_requests r where r.account_id = $1 and r.from_account_id = $2 and $3
    and not exists (select from repeated)
), without_language as (
  delete from account_conversations v where v.account_id = $1 and $2 = any (v.participant_account_ids) and $3
    and not exists (select from repeated)
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1, $2, '{"change": "mute"}'::jsonb
  returning event_json(events) as event
)
select muted.expires_at, (select jsonb_agg(logged.event) from logged) as events from muted
