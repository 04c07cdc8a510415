-- forget: removes what was remembered for six hours.
-- rows: one
-- plan: no sequential scan
with forgotten as (
  delete from tombstones t where t.created_at < now() - interval '6 hours' returning t.uri
)
select count(*)::integer as forgotten from forgotten
