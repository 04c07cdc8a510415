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
), sums as materialized (
  select r.tag_id, r.day, r.domain, r.language, sum(r.uses) as uses
  from removed r
  group by 1, 2, 3, 4
  having sum(r.uses) <> 0
), ended as (
  delete from tag_server_days c using sums
  where (c.tag_id, c.day, c.domain, c.language, c.slot) = (sums.tag_id, sums.day, sums.domain, sums.language, 0)
    and c.uses + sums.uses = 0
  returning c.tag_id, c.day, c.domain, c.language
), stored as (
  insert into tag_server_days as c (tag_id, day, domain, language, slot, uses)
  select sums.tag_id, sums.day, sums.domain, sums.language, 0, sums.uses
  from sums
  where (sums.tag_id, sums.day, sums.domain, sums.language) not in (select e.tag_id, e.day, e.domain, e.language from ended e)
  on conflict on constraint tag_server_days_pkey do update set uses = c.uses + excluded.uses
)
select count(*)::integer as folded from removed
