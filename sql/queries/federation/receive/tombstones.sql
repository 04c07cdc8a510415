-- tombstones: the URIs among these that somebody deleted or undid within six hours, perhaps before
-- they arrived, or that belong to statuses that were deleted here at any time.
-- $1 uris text[]
-- rows: any number for each of the URIs; author_id: whose objects are gone, null: anybody's
-- plan: no sequential scan
select t.uri, t.author_id
from author_tombstones t
where t.uri = any ((select $1::text[])::text[]) and t.created_at > now() - interval '6 hours'
union all
select t.uri, null from tombstones t
where t.uri = any ((select $1::text[])::text[]) and (t.kept or t.created_at > now() - interval '6 hours')
union all
select s.uri, null from statuses s where s.uri = any ((select $1::text[])::text[]) and s.deleted_at is not null
