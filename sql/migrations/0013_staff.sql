-- What the staff's area needs: presets of warnings, notes of moderators, who suspended an account,
-- and the indexes of the lists of accounts and reports. Nothing is locked for long: the new tables
-- are empty, and the others are read once for each index.

-- Texts that moderators choose for the messages of strikes.
create table warning_presets (
  id bigint primary key generated always as identity,
  title text not null default '',
  text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Notes of moderators for each other, about an account or a report.
create table moderation_notes (
  id bigint primary key generated always as identity,
  account_id bigint references accounts (id) on delete set null,                 -- the author; null: the operator
  target_account_id bigint references accounts (id) on delete cascade,
  report_id bigint references reports (id) on delete cascade,
  content text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(target_account_id, report_id) = 1)
);
create index moderation_notes_by_target on moderation_notes (target_account_id, id) where target_account_id is not null;
create index moderation_notes_by_report on moderation_notes (report_id, id) where report_id is not null;
create index moderation_notes_by_author on moderation_notes (account_id) where account_id is not null;

-- The appeals that wait for a decision, the newest first.
create index appeals_pending on appeals (id desc) where approved_at is null and rejected_at is null;

-- Who suspended an account: a suspension by its own server cannot be lifted here.
alter table accounts add column suspension_origin text not null default 'local' check (suspension_origin in ('local', 'remote'));

-- The lists of accounts of the staff, newest first: of other servers, of one domain, and by state.
create index accounts_remote_recent on accounts (id desc) where domain is not null;
create index accounts_of_domain on accounts (domain, id desc) where domain is not null;
create index accounts_all_suspended on accounts (id desc) where suspended_at is not null;
create index accounts_silenced on accounts (id desc) where silenced_at is not null;
create index accounts_sensitized on accounts (id desc) where sensitized_at is not null;
create index users_unapproved on users (account_id desc) where not approved;
create index users_disabled on users (account_id desc) where disabled;
create index users_invite on users (invite_id) where invite_id is not null;
create index users_email_prefix on users (lower(email) text_pattern_ops);

-- The users of an address or a network.
create index users_sign_up_ip on users using spgist (sign_up_ip) where sign_up_ip is not null;
create index sessions_ip on sessions using spgist (ip) where ip is not null;
create index login_activities_ip on login_activities using spgist (ip);
create index oauth_tokens_last_used_ip on oauth_tokens using spgist (last_used_ip) where last_used_ip is not null;
