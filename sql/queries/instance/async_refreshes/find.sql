-- find: the state of a background task: running for at most a day, or finished for at most an hour.
-- $1 id text
-- rows: none or one
-- plan: no sequential scan
select r.id::text as id, r.finished_at is not null as finished, r.result_count
from async_refreshes r
where r.id = $1::text::uuid
  and case when r.finished_at is null then r.created_at > now() - interval '1 day' else r.finished_at > now() - interval '1 hour' end
