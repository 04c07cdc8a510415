-- enqueue_low_priority: enqueues the delivery of an activity to inboxes as send_activity does, but
-- after others and with fewer attempts.
-- $1 sender bigint
-- $2 object text
-- $3 body text
-- $4 inboxes text[]
-- $5 signing_key bytea
-- rows: one a batch of at most fifty, as in send_activity
-- plan: one call a batch
with stored as (
  insert into outgoing_activities (sender_id, object, body, signing_key) values ($1, $2, $3, $5) returning id
), input as (
  select u.inbox, hashtext(u.inbox) & 7 as lane from unnest((select $4::text[])) u (inbox)
), placed as (
  select g.inbox, g.lane, (row_number() over (partition by g.lane) - 1) / 50 as part from input g
), batches as (
  select to_json(array_agg(p.inbox)) as inboxes, p.lane from placed p group by p.lane, p.part
)
select enqueue(
  'federation.deliver',
  json_build_object('activity', stored.id::text, 'inboxes', batches.inboxes, 'attempt', 1, 'maximum', 9),
  attempts => 3,
  priority => 20,
  queue_name => 'federation.deliver:' || (hashtext($2::text || batches.lane) & 255)
) as job
from stored, batches
