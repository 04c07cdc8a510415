-- lock_status_counters: locks the counters of a batch of statuses, as recount_statuses reads it.
-- $1 after bigint
-- rows: one
-- plan: no sequential scan
with locked as (
  select c.status_id
  from status_stats c
  where c.status_id in (select s.id from statuses s where s.id > $1 order by s.id limit 1000)
  order by c.status_id
  for no key update
)
select count(*)::integer as locked from locked
