-- withhold: cancels pending e-mails about notifications that a stream has delivered.
-- $1 notifications bigint[]
-- rows: one; removed: how many were cancelled
-- plan: no sequential scan
with waiting as (
  select 'notification_mail:' || one.id as key from unnest($1::bigint[]) one (id)
), removed as (
  select graphile_worker.remove_job(waiting.key) as job
  from waiting
  where exists (select from graphile_worker.jobs j where j.key = waiting.key)
)
select count(*)::integer as removed from removed where removed.job is not null
