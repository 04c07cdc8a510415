-- begin_deletions: records tombstones of these authors for these URIs, except for those of
-- others' statuses, and finds the statuses of these authors with them. The transaction sends
-- nothing to other servers. The caller notifies the readers of the event log.
-- $1 authors bigint[]
-- $2 uris text[]
-- rows: one for each, with its place (from 1); known: whether a status has the URI; id: of the
--   status, if it is the author's
-- plan: no sequential scan
with input as materialized (
  select g.author, g.uri, g.place, s.id, s.account_id
  from unnest((select $1::bigint[]), (select $2::text[])) with ordinality g (author, uri, place)
  left join statuses s on s.uri = g.uri and s.deleted_at is null
), recorded as (
  insert into author_tombstones as t (uri, author_id)
  select distinct input.uri, input.author
  from input
  where input.id is null or input.account_id = input.author
  order by input.uri, input.author
  on conflict (uri, author_id) do update set created_at = now()
)
select
  set_config('millrace.receiving', 'on', true) as receiving,
  set_config('millrace.defer_notify', 'on', true) as defer_notify,
  input.place::integer as place, input.id is not null as known,
  case when input.account_id = input.author then input.id end as id
from input
