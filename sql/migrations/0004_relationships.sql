-- The relations between accounts, and suggestions of accounts.

--! function count_follows
--! function clean_up_follows
--! function clean_up_follow_requests
--! function end_notification_permissions

create table follows (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],                              -- null: all
  uri text,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
-- The follows and the followers of an account, newest first.
create index follows_by_account on follows (account_id, id desc);
create index follows_by_target on follows (target_account_id, id desc);
-- Followers who want a notification for each post of an account.
create index follows_notify on follows (target_account_id) where notify;

create trigger follows_counted after insert on follows referencing new table as created
for each statement execute function count_follows();
create trigger follows_deleted after delete on follows referencing old table as removed
for each statement execute function clean_up_follows();

create table follow_requests (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],
  uri text,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
-- An account's pending follow requests, newest first.
create index follow_requests_by_target on follow_requests (target_account_id, id desc);

create trigger follow_requests_deleted after delete on follow_requests referencing old table as removed
for each statement execute function clean_up_follow_requests();

create table blocks (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  uri text,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
-- The accounts that block an account: read for every status that it sees.
create index blocks_by_target on blocks (target_account_id, account_id);
-- The accounts that an account blocks, newest first.
create index blocks_by_account on blocks (account_id, id desc);

create table mutes (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  hide_notifications boolean not null default true,
  expires_at timestamptz,                        -- null: without end
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
-- The accounts that an account mutes, newest first.
create index mutes_by_account on mutes (account_id, id desc);
create index mutes_by_target on mutes (target_account_id);
-- A job removes expired mutes.
create index mutes_expiry on mutes (expires_at) where expires_at is not null;

create table account_domain_blocks (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  domain text not null,
  created_at timestamptz not null default now(),
  unique (account_id, domain)
);

create trigger domain_blocked after insert on account_domain_blocks
for each row execute function end_notification_permissions();

create table account_notes (
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  comment text not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);

-- Accounts that an account features on its profile.
create table endorsements (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
-- Endorsements are paged by the endorsed account.
create index endorsements_by_target on endorsements (target_account_id);

create table suggestion_dismissals (
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);
create index suggestion_dismissals_by_target on suggestion_dismissals (target_account_id);

-- Accounts that are suggested to readers of a language: once a day the most followed ones and those
-- with the most recent interactions (src/accounts/suggestions).
create table popular_accounts (
  source text not null check (source in ('most_followed', 'most_interactions')),
  language text not null,
  account_id bigint not null references accounts (id) on delete cascade,
  score integer not null,
  primary key (source, language, account_id)
);
create index popular_accounts_by_account on popular_accounts (account_id);

-- The relations that an account lost by the block of a domain or an account (entity
-- RelationshipSeveranceEvent): the subject of a notification severed_relationships.
create table severances (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  type text not null check (type in ('domain_block', 'user_domain_block', 'account_suspension')),
  target_name text not null,                     -- the domain, or the handle
  purged boolean not null default false,
  followers_count integer not null default 0,
  following_count integer not null default 0,
  created_at timestamptz not null default now()
);
create index severances_by_account on severances (account_id);
-- The losses by a domain, read when its block is removed or its data are purged.
create index severances_by_domain on severances (target_name, created_at) where type = 'domain_block';
