-- expire_mutes: removes up to 1000 mutes that have expired.
-- rows: one; removed: how many
-- plan: no sequential scan
with due as (
  select m.id from mutes m where m.expires_at <= now() order by m.expires_at limit 1000 for update skip locked
), unmuted as (
  delete from mutes m using due where m.id = due.id returning m.account_id, m.target_account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', unmuted.account_id, unmuted.target_account_id, '{"change": "unmute"}'::jsonb from unmuted
  returning event_json(events) as event
)
select (select count(*) from unmuted)::integer as removed, (select jsonb_agg(logged.event) from logged) as events
