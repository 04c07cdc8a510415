-- enqueue: adds the job that processes an activity. Those of one actor run one after the other, in
-- the order in which they came; actors share 64 queues.
-- $1 actor text
-- $2 body text
-- $3 recipient bigint
-- rows: one
-- plan: no tables are read
select enqueue(
  'federation.receive',
  json_build_object('actor', $1::text, 'body', $2::text, 'recipient', $3::bigint::text),
  attempts => 9,
  priority => 5,
  queue_name => 'federation.receive:' || (hashtext($1) & 63)
) as job
