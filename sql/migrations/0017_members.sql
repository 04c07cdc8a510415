-- Members' own settings: automated deletion of old posts. New tables lock nothing that exists, but
-- for the moment in which a foreign key is added.

-- Which old statuses of an account are deleted by a job.
create table automated_deletion_policies (
  account_id bigint primary key references accounts (id) on delete cascade,
  enabled boolean not null,
  min_age_days integer not null check (min_age_days between 1 and 36500),
  keep_direct boolean not null default true,
  keep_pinned boolean not null default true,
  keep_polls boolean not null default false,
  keep_media boolean not null default false,
  keep_own_favourites boolean not null default true,
  keep_own_bookmarks boolean not null default true,
  -- Statuses with at least as many are kept; null: the number does not matter.
  min_favourites integer check (min_favourites > 0),
  min_reblogs integer check (min_reblogs > 0),
  inspected_status_id bigint not null default 0,  -- up to here the current round has come
  next_run_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index automated_deletion_due on automated_deletion_policies (next_run_at) where enabled;

-- Imports of CSV files of other servers. Rows stay until the import has finished, those that failed
-- until it is removed after a week.
create table imports (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('follows', 'blocks', 'mutes', 'domain_blocks', 'bookmarks', 'lists')),
  overwrite boolean not null,
  file_name text not null,
  rows_count integer not null,
  done_count integer not null default 0,
  failed_count integer not null default 0,
  finished_at timestamptz,
  created_at timestamptz not null default now()
);
create index imports_by_account on imports (account_id, id desc);
create index imports_finished on imports (finished_at) where finished_at is not null;

create table import_rows (
  import_id bigint not null references imports (id) on delete cascade,
  position integer not null,
  cells text[] not null,                          -- in the order of the columns that exports have
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- What the row names, of the kind of the import: an account or a status; or the domain.
  target_id bigint,
  target_domain text,
  primary key (import_id, position)
);
create index import_rows_waiting on import_rows (import_id, position) where state = 'waiting';
create index import_rows_targets on import_rows (import_id, target_id) where target_id is not null;

-- Other accounts of the same person, from which followers may be moved to this one.
create table account_aliases (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  alias_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, alias_account_id)
);
create index account_aliases_of on account_aliases (alias_account_id);

-- Moves of accounts with their followers.
create table account_migrations (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  followers_count bigint not null,
  created_at timestamptz not null default now()
);
create index account_migrations_by_account on account_migrations (account_id, created_at desc);
create index account_migrations_by_target on account_migrations (target_account_id);

-- Who developed an application; null for those that were registered by the API.
alter table applications add column owner_id bigint references users (id) on delete set null;
create index applications_by_owner on applications (owner_id) where owner_id is not null;

-- Security keys (WebAuthn): second factors beside one-time codes.
create table security_keys (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id) on delete cascade,
  external_id text not null unique,               -- the credential id, base64url
  public_key bytea not null,                      -- in COSE
  sign_count bigint not null,
  nickname text not null,
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  unique (user_id, nickname)
);

--! function end_security_keys
create trigger users_second_factor_ended after update of otp_enabled_at on users
for each row when (old.otp_enabled_at is not null and new.otp_enabled_at is null) execute function end_security_keys();

alter table login_activities drop constraint login_activities_method_check,
  add constraint login_activities_method_check check (method in ('password', 'otp', 'webauthn'));
