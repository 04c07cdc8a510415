-- finish: deletes processed activities. Each one that failed is retried by a job of its own.
-- $1 ids bigint[]
-- $2 failed bigint[]
-- rows: one, the number of those that failed
-- plan: no sequential scan
with removed as (
  delete from received_activities r
  where r.id = any ((select $1::bigint[])::bigint[])
  returning r.id, r.lane, r.host, r.actor, r.body, r.recipient_id
), retried as materialized (
  select enqueue(
    'federation.receive',
    json_build_object('host', removed.host, 'actor', removed.actor, 'body', removed.body, 'recipient', removed.recipient_id::text),
    attempts => 8,
    priority => 5,
    run_at => now() + interval '3 seconds',
    queue_name => 'federation.receive:' || removed.lane
  ) as job
  from removed
  where removed.id = any ((select $2::bigint[])::bigint[])
)
select count(*)::integer as failed from retried
