-- enqueue_relayed: adds the job that fetches a status that a relay announced; once, however many
-- relays announce it. A slow server holds up a quarter of the others.
-- $1 uri text
-- $2 host text
-- rows: one
-- plan: none
select enqueue(
  'federation.fetch_relayed', json_build_object('uri', $1::text), attempts => 2, priority => 20,
  job_key => 'federation.fetch_relayed:' || md5($1), queue_name => 'federation.fetch_relayed:' || (hashtext($2) & 3)
) as id
