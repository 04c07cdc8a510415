-- Keys for signatures between servers. It locks nothing that exists, except `accounts` for the
-- moment that adding a foreign key takes.
create table signing_keys (
  -- Null: the server's own actor.
  account_id bigint references accounts (id) on delete cascade,
  -- PEM.
  public_key text not null,
  -- PEM, encrypted by src/platform/secrets.
  private_key bytea not null,
  created_at timestamptz not null default now(),
  constraint signing_keys_account_id_key unique nulls not distinct (account_id)
);

-- Keys of other servers' actors, kept so that most signatures are checked without a request.
create table remote_keys (
  key_id text primary key,
  -- The actor that lists the key.
  owner text not null,
  -- user@domain, as the actor claims it.
  handle text not null,
  -- PEM.
  public_key text not null,
  fetched_at timestamptz not null default now()
);
create index remote_keys_age on remote_keys (fetched_at);
