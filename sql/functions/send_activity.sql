-- Enqueues the delivery of an activity to inboxes, in batches. sender: the account that signs; null
-- for the instance actor. An inbox is in one of eight lanes; deliveries about one object in one
-- lane share a queue, so that they start in order. A batch has at most fifty inboxes, so that no
-- job waits for many slow servers alone; enqueue_low_priority.sql has the same number.
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
    queue_name => 'federation.deliver:' || (hashtext(object || batch.lane) & 255)
  )
  from (
    select to_json(array_agg(one.inbox)) as inboxes, one.lane
    from (
      select given.inbox, given.lane, row_number() over (partition by given.lane) as place
      from (select u.inbox, hashtext(u.inbox) & 7 as lane from unnest(inboxes) u (inbox)) given
    ) one
    group by one.lane, (one.place - 1) / 50
  ) batch;
end
$$;
