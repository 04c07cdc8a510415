-- fold_counters: adds up rows of the daily counters that connections have written, so that each
-- figure of a day is one row again, and one that has become zero none. Rows in use are left for the
-- next time.
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
), sums as materialized (
  select r.counter, r.day, r.domain, r.detail, sum(r.amount) as amount
  from removed r
  group by 1, 2, 3, 4
  having sum(r.amount) <> 0
), ended as (
  delete from day_counters c using sums
  where (c.counter, c.day, c.domain, c.detail, c.slot) = (sums.counter, sums.day, sums.domain, sums.detail, 0)
    and c.amount + sums.amount = 0
  returning c.counter, c.day, c.domain, c.detail
), stored as (
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select sums.counter, sums.day, sums.domain, sums.detail, 0, sums.amount
  from sums
  where (sums.counter, sums.day, sums.domain, sums.detail) not in (select e.counter, e.day, e.domain, e.detail from ended e)
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount
)
select count(*)::integer as folded from removed
