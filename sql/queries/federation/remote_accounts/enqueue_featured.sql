-- enqueue_featured: enqueues the job that fetches the pinned statuses and featured hashtags of an
-- account of another server.
-- $1 account bigint
-- $2 featured text
-- $3 tags text
-- rows: one
-- plan: rows are inserted, none are read
select enqueue(
  'federation.fetch_featured',
  json_build_object('account', $1::bigint::text, 'featured', $2::text, 'tags', $3::text),
  attempts => 3,
  priority => 20,
  job_key => 'federation.featured:' || $1::bigint
) as job
