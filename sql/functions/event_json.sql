-- An event as readers of the log receive it: ids and txid as text, because JSON numbers lose
-- digits.
create or replace function event_json(event events) returns jsonb
language sql stable
return jsonb_build_object(
  'txid', event.txid::text, 'id', event.id::text, 'kind', event.kind, 'actor_id', event.actor_id::text,
  'account_id', event.account_id::text, 'status_id', event.status_id::text, 'object_id', event.object_id::text,
  'data', event.data
);
