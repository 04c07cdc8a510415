-- A trigger of collection_items: enqueues the Add or Remove of an account in a discoverable
-- collection of a local curator. A new collection is sent with its items.
create or replace function federate_collection_items() returns trigger language plpgsql as $$
declare
  changed collection_items := coalesce(new, old);
  before boolean := coalesce(old.state = 'accepted', false);
  after boolean := coalesce(new.state = 'accepted', false);
begin
  if before = after or not exists (select from accounts a where a.inbox_url <> '') then
    return null;
  end if;
  perform enqueue(
    'federation.send_collection',
    json_build_object(
      'kind', case when after then 'Add' else 'Remove' end, 'account', c.account_id::text, 'collection', c.id::text,
      'item', changed.id::text
    ),
    queue_name => 'federation.send:' || c.id % 16
  )
  from collections c
  join accounts o on o.id = c.account_id and o.domain is null
  where c.id = changed.collection_id and c.uri is null and c.discoverable and c.created_at < now();
  return null;
end
$$;
