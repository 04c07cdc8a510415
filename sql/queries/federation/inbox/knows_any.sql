-- knows_any: whether an account or status of another server is stored under one of these URIs.
-- $1 uris text[]
-- rows: one
-- plan: no sequential scan
select
  exists (select from accounts a where a.uri = any ((select $1::text[])::text[]) and a.uri <> '')
  or exists (select from statuses s where s.uri = any ((select $1::text[])::text[]))
  as known
