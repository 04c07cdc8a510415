-- enqueue: adds the job that processes an activity. Those of one actor run one after the other, in
-- the order in which they came; actors share 64 queues. Deliveries to a server that delivers are
-- tried again.
-- $1 host text
-- $2 actor text
-- $3 body text
-- $4 recipient bigint
-- rows: one
-- plan: no sequential scan
with reached as (
  delete from delivery_hosts h where h.host = $1
)
select enqueue(
  'federation.receive',
  json_build_object('actor', $2::text, 'body', $3::text, 'recipient', $4::bigint::text),
  attempts => 9,
  priority => 5,
  queue_name => 'federation.receive:' || (hashtext($2) & 63)
) as job
