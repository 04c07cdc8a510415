-- A trigger of events: enqueues the activity of a local status or boost. A server that knows no
-- remote account only looks into an empty index and an empty table.
create or replace function federate_statuses() returns trigger language plpgsql as $$
begin
  if (exists (select from accounts a where a.inbox_url <> '') or exists (select from relays r where r.state = 'accepted')) then
    perform enqueue(
      'federation.send_status',
      json_build_object(
        'kind', new.kind, 'status', new.status_id::text, 'boosted', new.data ->> 'reblog_of_id',
        'at', floor(extract(epoch from new.created_at))
      ),
      queue_name => 'federation.send:' || new.status_id % 16
    );
  end if;
  return null;
end
$$;
