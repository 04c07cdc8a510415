-- forget_activity: deletes a batch of what is no longer shown: the activity of users and the
-- counters of activity that are older than half a year, the accounts and uses of hashtags that are
-- older than two weeks. Figures that have become zero are deleted where they are folded.
-- $1 limit integer
-- rows: one; forgotten: how many rows were deleted of the table that had most
-- plan: counters by key; of the uses of hashtags all, which are those of two weeks
with activity as (
  delete from active_days a
  where (a.day, a.user_id) in (
    select o.day, o.user_id from active_days o where o.day < (now() at time zone 'UTC')::date - 200 limit $1::integer
  )
  returning 1
), counters as (
  delete from day_counters c
  where (c.counter, c.day, c.domain, c.detail, c.slot) in (
    select o.counter, o.day, o.domain, o.detail, o.slot
    from day_counters o
    where o.counter in ('active_users', 'interactions') and o.day < (now() at time zone 'UTC')::date - 200
    limit $1::integer
  )
  returning 1
), tag_accounts as (
  delete from tag_account_days d
  where (d.tag_id, d.account_id, d.day) in (
    select o.tag_id, o.account_id, o.day from tag_account_days o where o.day < (now() at time zone 'UTC')::date - 14 limit $1::integer
  )
  returning 1
), tag_uses as (
  delete from tag_use_days c
  where (c.tag_id, c.day, c.distance, c.slot) in (
    select o.tag_id, o.day, o.distance, o.slot from tag_use_days o where o.day < (now() at time zone 'UTC')::date - 14 limit $1::integer
  )
  returning 1
)
select greatest(
  (select count(*) from activity), (select count(*) from counters), (select count(*) from tag_accounts), (select count(*) from tag_uses)
)::integer as forgotten
