-- has_tombstone: whether the author deleted or undid one of these URIs within six hours, perhaps
-- before it arrived, or one belongs to a status that was deleted here at any time.
-- $1 author bigint
-- $2 uris text[]
-- rows: one
-- plan: no sequential scan
select
  exists (
    select from author_tombstones t
    where t.uri = any ((select $2::text[])::text[]) and t.author_id = $1 and t.created_at > now() - interval '6 hours'
  )
  or exists (
    select from tombstones t
    where t.uri = any ((select $2::text[])::text[]) and (t.kept or t.created_at > now() - interval '6 hours')
  )
  or exists (select from statuses s where s.uri = any ((select $2::text[])::text[]) and s.deleted_at is not null) as gone
