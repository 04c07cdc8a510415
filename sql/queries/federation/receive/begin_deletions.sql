-- begin_deletions: records tombstones for these URIs, and finds the statuses of these authors with
-- them. The transaction sends nothing to other servers. The caller notifies the readers of the
-- event log.
-- $1 authors bigint[]
-- $2 uris text[]
-- rows: one for each, with its place (from 1); known: whether a status has the URI; id: of the
--   status, if it is the author's
-- plan: no sequential scan
with input as materialized (
  select g.author, g.uri, g.place from unnest((select $1::bigint[]), (select $2::text[])) with ordinality g (author, uri, place)
), recorded as (
  insert into tombstones as t (uri) select distinct input.uri from input order by input.uri
  on conflict (uri) do update set created_at = now()
)
select
  set_config('millrace.receiving', 'on', true) as receiving,
  set_config('millrace.defer_notify', 'on', true) as defer_notify,
  input.place::integer as place, s.id is not null as known,
  case when s.account_id = input.author then s.id end as id
from input
left join statuses s on s.uri = input.uri and s.deleted_at is null
