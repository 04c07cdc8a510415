-- remove_tombstones: deletes expired tombstones. Those of stored statuses are kept.
-- rows: one
-- plan: no sequential scan
with removed as (
  delete from tombstones t where t.created_at < now() - interval '6 hours' and not t.kept returning t.uri
)
select count(*)::integer as removed from removed
