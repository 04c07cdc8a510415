-- A trigger of collection_items: enqueues the FeatureRequest of a local curator to a remote
-- account.
create or replace function federate_feature_requests() returns trigger language plpgsql as $$
begin
  if exists (
    select
    from collections c
    join accounts o on o.id = c.account_id and o.domain is null
    join accounts a on a.id = new.account_id and a.inbox_url <> ''
    where c.id = new.collection_id
  ) then
    perform enqueue(
      'federation.send_feature_request', json_build_object('item', new.id::text),
      queue_name => 'federation.send:' || new.collection_id % 16
    );
  end if;
  return null;
end
$$;
