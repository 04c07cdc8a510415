-- forget_activity: deletes what is no longer shown: the activity of users and the counters of
-- activity that are older than half a year, and figures that have become zero.
-- rows: none
-- plan: the counters in order, once a day
with activity as (
  delete from active_days a where a.day < (now() at time zone 'UTC')::date - 200
), counters as (
  delete from day_counters c
  where c.counter in ('active_users', 'interactions') and c.day < (now() at time zone 'UTC')::date - 200
)
delete from day_counters c where c.slot = 0 and c.amount = 0
