-- What every other table stands on: ids, the event log, settings and secrets.

create extension if not exists pg_trgm;

-- Snowflakes: milliseconds since the epoch in the upper 48 bits, so that order by id is order by time;
-- a sequence below, so that 65,536 ids fit into one millisecond.
create sequence snowflakes as bigint cycle;

create function snowflake() returns bigint
language sql volatile parallel unsafe
return ((extract(epoch from clock_timestamp()) * 1000)::bigint << 16) | (nextval('snowflakes') & 65535);

-- An id for a record that was made earlier than it is stored.
create function snowflake_at(made timestamptz) returns bigint
language sql volatile parallel unsafe
return ((extract(epoch from made) * 1000)::bigint << 16) | (nextval('snowflakes') & 65535);

-- The event log: a row is written by the transaction that makes the change. Readers take rows of finished transactions only
-- (txid < pg_snapshot_xmin(pg_current_snapshot())) and go on from the pair (txid, id): ids do not commit in order.
-- kind: what happened; actor_id: who did it; account_id: whom it concerns; object_id: the list, notification, announcement, tag … it is about;
-- data: the facts that streams and feeds decide by, so that they need no query (and have them when the row is gone).
create table events (
  txid xid8 not null default pg_current_xact_id(),
  id bigint not null generated always as identity,
  kind text not null,
  actor_id bigint,
  account_id bigint,
  status_id bigint,
  object_id bigint,
  data jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
) partition by range (created_at);

create index events_cursor on events (txid, id);

-- Rows for which no partition of their hour has been made yet. It is empty while the server runs.
create table events_default partition of events default;

-- NOTIFY only rings: equal payloads of one transaction are merged, and what happened is read from the log.
create function ring_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '');
  return null;
end
$$;

create trigger events_ring after insert on events for each statement execute function ring_events();

-- An event as the log's readers get it: ids and txid as text, because JSON numbers lose digits.
create function event_json(event events) returns jsonb
language sql immutable
return jsonb_build_object(
  'txid', event.txid::text, 'id', event.id::text, 'kind', event.kind, 'actor_id', event.actor_id::text,
  'account_id', event.account_id::text, 'status_id', event.status_id::text, 'object_id', event.object_id::text,
  'data', event.data
);

-- Settings that an administrator changes at run time (api/settings.md); a key that is absent has its default.
create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- Made at first start and never shown: VAPID keys, the secret that cookies and CSRF tokens are signed with.
create table secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

-- Counters of rate limits that must hold across processes. Losing them in a crash is harmless.
create unlogged table rate_counters (
  name text not null,
  key text not null,
  window_start timestamptz not null,
  expires_at timestamptz not null,
  amount bigint not null,
  primary key (name, key, window_start)
);

create index rate_counters_expires_at on rate_counters (expires_at);
