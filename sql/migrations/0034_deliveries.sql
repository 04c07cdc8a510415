-- Deliveries to other servers. The index on accounts is built while writes to accounts wait: on a
-- server without accounts of other servers, which is every one so far, for moments. The triggers
-- wait for the statements on their tables that run at the time.

-- What is being delivered: the text is stored once for all inboxes.
create table outgoing_activities (
  id bigint generated always as identity primary key,
  -- The account that signs; null: the server's own actor.
  sender_id bigint,
  -- What it is about: deliveries about one object keep their order.
  object text not null,
  body text not null,
  created_at timestamptz not null default now()
);
create index outgoing_activities_age on outgoing_activities (created_at);

-- Servers to which deliveries have failed; a server without failures has no row.
create table delivery_hosts (
  host text primary key,
  -- In a row.
  failures integer not null default 0,
  paused_until timestamptz,
  -- Different days with failures since the last success.
  failed_days date[] not null default '{}',
  -- Nothing is delivered until a signed request comes from there.
  unavailable_since timestamptz
);

-- Whether anybody elsewhere could receive something.
create index accounts_with_inbox on accounts (id) where inbox_url <> '';

--! function federate_relations
--! function federate_favourites
--! function federate_statuses
--! function federate_profiles

create trigger follows_federated_end after delete on follows referencing old table as changed for each statement
  execute function federate_relations();
create trigger follow_requests_federated after insert on follow_requests referencing new table as changed for each statement
  execute function federate_relations();
create trigger follow_requests_federated_end after delete on follow_requests referencing old table as changed for each statement
  execute function federate_relations();
create trigger blocks_federated after insert on blocks referencing new table as changed for each statement
  execute function federate_relations();
create trigger blocks_federated_end after delete on blocks referencing old table as changed for each statement
  execute function federate_relations();
create trigger favourites_federated after insert on favourites referencing new table as changed for each statement
  execute function federate_favourites();
create trigger favourites_federated_end after delete on favourites referencing old table as changed for each statement
  execute function federate_favourites();
create trigger events_federated after insert on events for each row
  when (new.kind in ('status.created', 'status.updated', 'status.deleted') and new.data ->> 'local' = 'true')
  execute function federate_statuses();
create trigger events_federated_profiles after insert on events for each row
  when (new.kind in ('account.changed', 'account.deleted'))
  execute function federate_profiles();
