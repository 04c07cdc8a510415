-- remove_tombstones: removes what was remembered for six hours, but statuses that were stored.
-- rows: one
-- plan: no sequential scan
with removed as (
  delete from tombstones t where t.created_at < now() - interval '6 hours' and not t.kept returning t.uri
)
select count(*)::integer as removed from removed
