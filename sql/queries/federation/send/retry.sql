-- retry: enqueues another attempt to deliver an activity to an inbox.
-- $1 activity bigint
-- $2 inbox text
-- $3 attempt integer
-- $4 at timestamptz
-- $5 key text
-- $6 object text
-- $7 maximum integer
-- rows: one
-- plan: one call
select enqueue(
  'federation.deliver',
  json_build_object(
    'activity', $1::bigint::text, 'inboxes', json_build_array($2::text), 'attempt', $3::integer, 'maximum', $7::integer
  ),
  attempts => 3,
  priority => case when $7::integer < 17 then 20 else 10 end,
  run_at => $4::timestamptz,
  job_key => $5::text,
  queue_name => 'federation.deliver:' || (hashtext($6::text || (hashtext($2::text) & 7)) & 255)
) as id
