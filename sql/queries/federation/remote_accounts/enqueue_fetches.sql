-- enqueue_fetches: enqueues the jobs that fetch the pinned statuses and featured hashtags of an
-- account of another server, and the counts of its collections; after parents, mentions and quotes
-- of statuses.
-- $1 account bigint
-- $2 featured text
-- $3 tags text
-- $4 items text[]: of a collection of pinned statuses that its document contains
-- rows: one
-- plan: one row by key
select
  enqueue(
    'federation.fetch_featured',
    json_build_object('account', $1::bigint::text, 'featured', $2::text, 'tags', $3::text, 'items', $4::text[]),
    attempts => 3,
    priority => 25,
    job_key => 'federation.featured:' || $1::bigint,
    queue_name => fetch_queue(a.uri)
  ) as featured_job,
  enqueue(
    'federation.fetch_counts',
    json_build_object('account', $1::bigint::text),
    attempts => 2,
    priority => 25,
    job_key => 'federation.counts:' || $1::bigint,
    queue_name => fetch_queue(a.uri)
  ) as counts_job
from accounts a
where a.id = $1
