-- How accounts relate to each other, and who is suggested to whom.

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
-- Whom an account follows and who follows it, the newest first.
create index follows_by_account on follows (account_id, id desc);
create index follows_by_target on follows (target_account_id, id desc);
-- Who wants to be notified of an account's posts.
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
-- An account's requests to decide, the newest first.
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
-- Who blocks an account: asked of every status that it reads.
create index blocks_by_target on blocks (target_account_id, account_id);
-- Whom an account blocks, the newest first.
create index blocks_by_account on blocks (account_id, id desc);

create table mutes (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  hide_notifications boolean not null default true,
  expires_at timestamptz,                        -- null: until undone
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
-- Whom an account mutes, the newest first.
create index mutes_by_account on mutes (account_id, id desc);
create index mutes_by_target on mutes (target_account_id);
-- Mutes that are over are removed by a job.
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

-- Accounts that somebody shows on the profile.
create table endorsements (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
-- Endorsements are paged by the account that is endorsed.
create index endorsements_by_target on endorsements (target_account_id);

create table suggestion_dismissals (
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);
create index suggestion_dismissals_by_target on suggestion_dismissals (target_account_id);

-- Accounts that are suggested to those who understand a language: once a day the most followed and the most liked ones of late
-- (src/accounts/suggestions).
create table popular_accounts (
  source text not null check (source in ('most_followed', 'most_interactions')),
  language text not null,
  account_id bigint not null references accounts (id) on delete cascade,
  score integer not null,
  primary key (source, language, account_id)
);
create index popular_accounts_by_account on popular_accounts (account_id);

-- What somebody lost with a domain or an account (entity RelationshipSeveranceEvent): the cause of a notification severed_relationships.
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
-- What people lost with a domain, when its block is undone or its data are purged.
create index severances_by_domain on severances (target_name, created_at) where type = 'domain_block';
