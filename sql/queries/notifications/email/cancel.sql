-- cancel: cancels waiting e-mails about notifications that a stream has delivered.
-- $1 notifications bigint[]
-- rows: one; removed: how many were cancelled
-- plan: no sequential scan
with removed as (
  delete from waiting_emails w where w.notification_id = any ((select $1::bigint[])::bigint[]) and not w.always returning 1
)
select count(*)::integer as removed from removed
