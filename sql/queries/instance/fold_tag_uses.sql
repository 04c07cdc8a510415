-- fold_tag_uses: adds up rows of the daily counters of hashtags by distance that connections have
-- written (as instance/fold_counters).
-- $1 limit integer
-- rows: one; folded: how many rows were added up
-- plan: no sequential scan
with going as (
  select c.tag_id, c.day, c.distance, c.slot
  from tag_use_days c
  where c.slot <> 0
  order by c.day
  limit $1::integer
  for update skip locked
), removed as (
  delete from tag_use_days c using going
  where (c.tag_id, c.day, c.distance, c.slot) = (going.tag_id, going.day, going.distance, going.slot)
  returning c.tag_id, c.day, c.distance, c.uses, c.accounts
), stored as (
  insert into tag_use_days as c (tag_id, day, distance, slot, uses, accounts)
  select removed.tag_id, removed.day, removed.distance, 0, sum(removed.uses), sum(removed.accounts)
  from removed
  group by 1, 2, 3
  having sum(removed.uses) <> 0 or sum(removed.accounts) <> 0
  on conflict on constraint tag_use_days_pkey do update set uses = c.uses + excluded.uses, accounts = c.accounts + excluded.accounts
)
select count(*)::integer as folded from removed
