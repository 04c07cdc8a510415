-- delete_interactions: deletes up to a thousand favourites, and as many bookmarks, of statuses that
-- were deleted before a time, so that purging these is fast.
-- $1 before timestamptz
-- rows: one; removed: how many of both
-- plan: no sequential scan
with due as materialized (
  select s.id from statuses s where s.deleted_at < $1 and not is_evidence(s) order by s.deleted_at limit 500
), favourited as (
  delete from favourites f
  where f.id in (select o.id from due join favourites o on o.status_id = due.id limit 1000)
  returning f.id
), marked as (
  delete from bookmarks b
  where b.id in (select o.id from due join bookmarks o on o.status_id = due.id limit 1000)
  returning b.id
)
select ((select count(*) from favourited) + (select count(*) from marked))::integer as removed
