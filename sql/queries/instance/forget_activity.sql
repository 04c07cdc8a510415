-- forget_activity: deletes what is no longer shown: the activity of users and the counters of
-- activity that are older than half a year, the accounts and uses of hashtags that are older than
-- two weeks, and figures that have become zero.
-- rows: none
-- plan: the counters in order, once a day
with activity as (
  delete from active_days a where a.day < (now() at time zone 'UTC')::date - 200
), counters as (
  delete from day_counters c
  where c.counter in ('active_users', 'interactions') and c.day < (now() at time zone 'UTC')::date - 200
), tag_accounts as (
  delete from tag_account_days d where d.day < (now() at time zone 'UTC')::date - 14
), tag_uses as (
  delete from tag_use_days c where c.day < (now() at time zone 'UTC')::date - 14
), tag_servers as (
  delete from tag_server_days c where c.slot = 0 and c.uses = 0
)
delete from day_counters c where c.slot = 0 and c.amount = 0
