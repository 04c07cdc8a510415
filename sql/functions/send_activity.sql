-- Enqueues the delivery of an activity to inboxes, in batches. sender: the account that signs; null
-- for the server's own actor. Deliveries about one object share a queue, so that they start in
-- order.
create or replace function send_activity(sender bigint, object text, body text, inboxes text[]) returns void
language plpgsql as $$
#variable_conflict use_variable
declare
  activity bigint;
begin
  if cardinality(inboxes) = 0 then
    return;
  end if;
  insert into outgoing_activities (sender_id, object, body) values (sender, object, body) returning id into activity;
  perform enqueue(
    'federation.deliver',
    json_build_object('activity', activity::text, 'inboxes', batch.inboxes, 'attempt', 1),
    attempts => 3,
    priority => 10,
    queue_name => 'federation.deliver:' || (hashtext(object) & 63)
  )
  from (
    select to_json(array_agg(one.inbox)) as inboxes
    from unnest(inboxes) with ordinality one (inbox, place)
    group by (one.place - 1) / 50
  ) batch;
end
$$;
