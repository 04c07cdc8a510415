-- Relays: servers that pass public posts on to each other. The table is new; nothing that exists is
-- locked.
create table relays (
  id bigint generated always as identity primary key,
  inbox_url text not null unique,
  -- Of the inbox, with the port where there is one.
  host text not null,
  -- Not followed, asked, followed, or refused by the relay.
  state text not null check (state in ('idle', 'pending', 'accepted', 'rejected')),
  -- The id of the Follow; null while idle.
  follow_uri text unique,
  -- The actor that has answered.
  actor_uri text,
  created_at timestamptz not null default now(),
  -- When the state was last changed.
  changed_at timestamptz not null default now(),
  check ((state = 'idle') = (follow_uri is null))
);
