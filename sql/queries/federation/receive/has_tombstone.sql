-- has_tombstone: whether one of these URIs was deleted or undone within six hours, perhaps before
-- it arrived, or belongs to a status that was deleted here at any time.
-- $1 uris text[]
-- rows: one
-- plan: no sequential scan
select
  exists (
    select from tombstones t
    where t.uri = any ((select $1::text[])::text[]) and (t.kept or t.created_at > now() - interval '6 hours')
  )
  or exists (select from statuses s where s.uri = any ((select $1::text[])::text[]) and s.deleted_at is not null) as gone
