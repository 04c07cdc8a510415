-- begin_deletions: records for six hours that the objects with these URIs are deleted, and finds
-- the statuses of these authors. The transaction sends nothing to other servers, because it stores
-- what they did. The caller notifies the readers of the log.
-- $1 authors bigint[]
-- $2 uris text[]
-- rows: one for each, with its place (from 1); known: there is a status with the URI; id: it is the
--   author's
-- plan: no sequential scan
with given as materialized (
  select g.author, g.uri, g.place from unnest((select $1::bigint[]), (select $2::text[])) with ordinality g (author, uri, place)
), recorded as (
  insert into tombstones as t (uri) select distinct given.uri from given order by given.uri
  on conflict (uri) do update set created_at = now()
)
select
  set_config('millrace.receiving', 'on', true) as receiving,
  set_config('millrace.defer_notify', 'on', true) as defer_notify,
  given.place::integer as place, s.id is not null as known,
  case when s.account_id = given.author then s.id end as id
from given
left join statuses s on s.uri = given.uri and s.deleted_at is null
