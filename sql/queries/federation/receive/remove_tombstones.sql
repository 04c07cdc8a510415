-- remove_tombstones: deletes expired tombstones. Those of stored statuses are kept.
-- rows: one
-- plan: no sequential scan, and none of those that are kept
with removed as (
  delete from tombstones t where t.created_at < now() - interval '6 hours' and not t.kept returning t.uri
), removed_of_authors as (
  delete from author_tombstones t where t.created_at < now() - interval '6 hours' returning t.uri
)
select ((select count(*) from removed) + (select count(*) from removed_of_authors))::integer as removed
