-- fold_counters: adds up rows of the daily counters that connections have written, so that each
-- figure of a day is one row again. Rows in use are left for the next time.
-- $1 limit integer
-- rows: one; folded: how many rows were added up
-- plan: no sequential scan
with going as (
  select c.counter, c.day, c.domain, c.detail, c.slot
  from day_counters c
  where c.slot <> 0
  order by c.day
  limit $1::integer
  for update skip locked
), removed as (
  delete from day_counters c using going
  where (c.counter, c.day, c.domain, c.detail, c.slot) = (going.counter, going.day, going.domain, going.detail, going.slot)
  returning c.counter, c.day, c.domain, c.detail, c.amount
), stored as (
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select removed.counter, removed.day, removed.domain, removed.detail, 0, sum(removed.amount)
  from removed
  group by 1, 2, 3, 4
  having sum(removed.amount) <> 0
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount
)
select count(*)::integer as folded from removed
