-- begin_deletion: records for six hours that the object with this URI is deleted, and finds its
-- status. The transaction sends nothing to other servers, because it stores what one of them did.
-- $1 uri text
-- rows: one, with the status that has the URI
-- plan: no sequential scan
with recorded as (
  insert into tombstones as t (uri) values ($1) on conflict (uri) do update set created_at = now()
)
select set_config('millrace.receiving', 'on', true) as receiving, s.id, s.account_id
from (select) here
left join statuses s on s.uri = $1 and s.deleted_at is null
