-- A trigger of collections: enqueues the Add, Update or Remove of a discoverable collection of a
-- local curator.
create or replace function federate_collections() returns trigger language plpgsql as $$
declare
  changed collections := coalesce(new, old);
  before boolean := coalesce(old.discoverable, false);
  after boolean := coalesce(new.discoverable, false);
begin
  if (before or after) and changed.uri is null
    and exists (select from accounts a where a.inbox_url <> '')
    and exists (select from accounts a where a.id = changed.account_id and a.domain is null)
  then
    perform enqueue(
      'federation.send_collection',
      json_build_object(
        'kind', case when not before then 'Add' when after then 'Update' else 'Remove' end,
        'account', changed.account_id::text, 'collection', changed.id::text
      ),
      queue_name => 'federation.send:' || changed.id % 16
    );
  end if;
  return null;
end
$$;
