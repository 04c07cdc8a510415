-- fold_tag_servers: adds up rows of the daily counters of hashtags by server that connections have
-- written (as instance/fold_counters).
-- $1 limit integer
-- rows: one; folded: how many rows were added up
-- plan: no sequential scan
with going as (
  select c.tag_id, c.day, c.domain, c.language, c.slot
  from tag_server_days c
  where c.slot <> 0
  order by c.day
  limit $1::integer
  for update skip locked
), removed as (
  delete from tag_server_days c using going
  where (c.tag_id, c.day, c.domain, c.language, c.slot) = (going.tag_id, going.day, going.domain, going.language, going.slot)
  returning c.tag_id, c.day, c.domain, c.language, c.uses
), stored as (
  insert into tag_server_days as c (tag_id, day, domain, language, slot, uses)
  select removed.tag_id, removed.day, removed.domain, removed.language, 0, sum(removed.uses)
  from removed
  group by 1, 2, 3, 4
  having sum(removed.uses) <> 0
  on conflict on constraint tag_server_days_pkey do update set uses = c.uses + excluded.uses
)
select count(*)::integer as folded from removed
