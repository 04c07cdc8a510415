-- recover: unlocks the jobs of dead workers (killed, or cut off from the database), which would
-- otherwise stay locked for four hours. A worker is alive while its connection holds the lock of
-- hold_worker_lock, which it must acquire within ten seconds of its first job.
-- rows: one; workers: how many were dead
-- plan: all jobs that wait
with removed as (
  select job.locked_by as worker
  from graphile_worker.jobs job
  where job.locked_by is not null
  group by job.locked_by
  -- Locked in the future: before the clock was set back.
  having max(job.locked_at) not between now() - interval '10 seconds' and now() + interval '10 seconds'
    and not exists (
      select from pg_locks held
      join pg_database here on here.oid = held.database and here.datname = current_database()
      where held.locktype = 'advisory' and held.classid = 1802661729::oid and held.granted
        and held.objid::bigint = (hashtext(job.locked_by)::bigint & 4294967295)
    )
)
select (select count(*) from removed)::integer as workers
from graphile_worker.force_unlock_workers(array(select removed.worker from removed)) unlocked
