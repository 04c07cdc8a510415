-- enqueue_featured: has the pinned statuses and the hashtags on the profile of an account of
-- another server fetched.
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
