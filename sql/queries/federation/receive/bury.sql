-- bury: remembers for six hours that what has this URI is deleted. The transaction sends nothing to
-- other servers: one of them did what it changes.
-- $1 uri text
-- rows: one, with the status that has the URI
-- plan: no sequential scan
with buried as (
  insert into tombstones as t (uri) values ($1) on conflict (uri) do update set created_at = now()
)
select set_config('millrace.receiving', 'on', true) as receiving, s.id, s.account_id
from (select) here
left join statuses s on s.uri = $1 and s.deleted_at is null
