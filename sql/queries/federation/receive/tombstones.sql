-- tombstones: the URIs among these that were deleted or undone within six hours, perhaps before
-- they arrived, or belong to statuses that were deleted here at any time.
-- $1 uris text[]
-- rows: none to two for each of the URIs
-- plan: no sequential scan
select t.uri from tombstones t
where t.uri = any ((select $1::text[])::text[]) and (t.kept or t.created_at > now() - interval '6 hours')
union all
select s.uri from statuses s where s.uri = any ((select $1::text[])::text[]) and s.deleted_at is not null
