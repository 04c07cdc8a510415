-- enqueue_quote: enqueues the job that finds the quote of a status of another server, when the
-- server of the quoted status gave no answer.
-- $1 status bigint
-- $2 author bigint
-- $3 uri text
-- $4 quoted text
-- $5 approval text
-- $6 quotes integer
-- rows: one
-- plan: rows are inserted, none are read
select enqueue(
  'federation.fetch_quote',
  json_build_object(
    'status_id', $1::bigint::text, 'author_id', $2::bigint::text, 'uri', $3::text, 'quoted', $4::text, 'approval', $5::text,
    'quotes', $6::integer
  ),
  attempts => 8,
  priority => 20,
  job_key => 'federation.fetch_quote:' || $1::bigint,
  queue_name => fetch_queue($4)
) as job
