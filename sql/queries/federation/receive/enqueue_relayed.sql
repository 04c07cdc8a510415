-- enqueue_relayed: adds the job that fetches a status that a relay announced; once, however many
-- relays announce it, and after what people here wait for.
-- $1 uri text
-- rows: one
-- plan: none
select enqueue(
  'federation.fetch_relayed', json_build_object('uri', $1::text), attempts => 2, priority => 30,
  job_key => 'federation.fetch_relayed:' || md5($1), queue_name => fetch_queue($1)
) as id
