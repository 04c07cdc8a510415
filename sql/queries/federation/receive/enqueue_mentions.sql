-- enqueue_mentions: enqueues the job that finds accounts whose servers gave no answer when the
-- present version of a status of another server arrived, which mentions them.
-- $1 status bigint
-- $2 uris text[]
-- rows: one
-- plan: no sequential scan
select enqueue(
  'federation.fetch_mentions',
  json_build_object('status_id', s.id::text, 'edited_at', s.edited_at, 'uris', $2::text[]),
  attempts => 8,
  priority => 20,
  queue_name => fetch_queue(($2::text[])[1])
) as job
from statuses s
where s.id = $1
