-- What local curators list is sent to their followers elsewhere, and when a server was last
-- reached is known. A new table; the triggers lock collections and their items for a moment.

--! function federate_collections
create trigger collections_federated
  after insert or delete or update of name, description, language, tag_id, sensitive, discoverable on collections for each row
  execute function federate_collections();

--! function federate_collection_items
create trigger collection_items_listed after insert or delete or update of state on collection_items for each row
  execute function federate_collection_items();

-- When a server accepted a delivery last, to the hour.
create table delivery_successes (
  host text primary key,
  at timestamptz not null default now()
);
