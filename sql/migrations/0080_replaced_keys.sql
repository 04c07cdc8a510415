-- Keys that the Update of an actor of another server has replaced: for a day an older document,
-- from a cache, does not bring them back. A new table; nothing is locked.
create table replaced_keys (
  owner text not null,
  public_key text not null,
  -- `updated` of the actor's document in the Update.
  updated timestamptz,
  replaced_at timestamptz not null default now(),
  primary key (owner, public_key)
);
create index replaced_keys_replaced_at_idx on replaced_keys (replaced_at);
