-- Reports, strikes and the log of moderators' actions; rules about domains, addresses and names.

create table reports (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,         -- the reporter
  target_account_id bigint not null references accounts (id) on delete cascade,
  application_id bigint references applications (id) on delete set null,
  category text not null default 'other' check (category in ('spam', 'legal', 'violation', 'other')),
  comment text not null default '',
  status_ids bigint[] not null default '{}',     -- of the target; ids of deleted ones stay
  collection_ids bigint[] not null default '{}',
  rule_ids bigint[],                             -- null: no rule was cited
  forwarded boolean,                             -- whether the target's server received a copy; null: unknown
  forwarded_to text[] not null default '{}',     -- domains that are to receive a copy
  uri text,
  assigned_account_id bigint references accounts (id) on delete set null,
  action_taken_at timestamptz,                   -- null: open
  action_taken_by_account_id bigint references accounts (id) on delete set null, -- null: the operator, unless it is open
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Reports by an account and about it, and the open ones, the newest first.
create index reports_by_account on reports (account_id, id desc);
create index reports_by_target on reports (target_account_id, id desc);
create index reports_open on reports (id desc) where action_taken_at is null;
create index reports_assigned on reports (assigned_account_id) where assigned_account_id is not null;
create index reports_resolved_by on reports (action_taken_by_account_id) where action_taken_by_account_id is not null;
create index reports_application on reports (application_id) where application_id is not null;

-- Strikes (entity AccountWarning).
create table account_warnings (
  id bigint primary key generated always as identity,
  account_id bigint references accounts (id) on delete set null,                 -- the moderator; null: the operator
  target_account_id bigint not null references accounts (id) on delete cascade,
  action text not null check (action in (
    'none', 'disable', 'sensitive', 'silence', 'suspend', 'delete_statuses', 'mark_statuses_as_sensitive'
  )),
  text text not null default '',
  report_id bigint references reports (id) on delete set null,
  status_ids bigint[],                           -- null: none
  overruled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- The strikes of an account, the newest first.
create index account_warnings_by_target on account_warnings (target_account_id, id desc);
create index account_warnings_by_account on account_warnings (account_id) where account_id is not null;
create index account_warnings_by_report on account_warnings (report_id) where report_id is not null;

-- Appeals against strikes.
create table appeals (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  account_warning_id bigint not null unique references account_warnings (id) on delete cascade,
  text text not null,
  approved_at timestamptz,
  approved_by_account_id bigint references accounts (id) on delete set null,
  rejected_at timestamptz,
  rejected_by_account_id bigint references accounts (id) on delete set null,
  created_at timestamptz not null default now()
);
create index appeals_by_account on appeals (account_id);
create index appeals_approved_by on appeals (approved_by_account_id) where approved_by_account_id is not null;
create index appeals_rejected_by on appeals (rejected_by_account_id) where rejected_by_account_id is not null;

-- The log of actions. Entries outlive their targets.
create table admin_action_logs (
  id bigint primary key generated always as identity,
  account_id bigint references accounts (id) on delete set null,                 -- null: the operator, on the command line
  action text not null,
  target_type text not null,
  target_id bigint,
  target_name text not null,                     -- a handle, a domain …, at the time of the action
  created_at timestamptz not null default now()
);
-- The actions of a moderator and those on a target, newest first.
create index admin_action_logs_by_account on admin_action_logs (account_id, id desc) where account_id is not null;
create index admin_action_logs_by_target on admin_action_logs (target_type, target_id, id desc);

-- Rules about domains. They apply to the accounts there, including those that become known later.
create table domain_blocks (
  id bigint generated always as identity primary key,
  domain text not null unique,                       -- lower case, in ASCII
  severity text not null default 'silence' check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  private_comment text not null default '',
  public_comment text not null default '',
  obfuscate boolean not null default false,          -- published with asterisks
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The domains that limited federation mode allows.
create table domain_allows (
  id bigint generated always as identity primary key,
  domain text not null unique,                       -- lower case, in ASCII
  created_at timestamptz not null default now()
);

-- Addresses at a domain, at its subdomains, or whose mail one of its hosts receives, are refused or
-- need approval.
create table email_domain_blocks (
  id bigint primary key generated always as identity,
  domain text not null unique,                   -- lower case, ASCII
  allow_with_approval boolean not null default false,
  parent_id bigint references email_domain_blocks (id) on delete cascade,   -- the domain whose mail server this is
  created_at timestamptz not null default now()
);
create index email_domain_blocks_parent on email_domain_blocks (parent_id) where parent_id is not null;

-- The attempts to sign up with blocked domains, by day and IP address.
create table email_domain_block_attempts (
  block_id bigint not null references email_domain_blocks (id) on delete cascade,
  day date not null,
  ip inet not null,
  uses integer not null default 1,
  primary key (block_id, day, ip)
);
-- Rows are removed by age.
create index email_domain_block_attempts_day on email_domain_block_attempts (day);

-- Addresses that cannot sign up: by the hash of the canonical form (canonical_email).
create table canonical_email_blocks (
  id bigint primary key generated always as identity,
  canonical_email_hash text not null unique,
  reference_account_id bigint references accounts (id) on delete cascade,   -- the suspended account that caused the block
  created_at timestamptz not null default now()
);
create index canonical_email_blocks_account on canonical_email_blocks (reference_account_id)
  where reference_account_id is not null;

create table ip_blocks (
  id bigint primary key generated always as identity,
  ip cidr not null unique,
  severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text not null default '',
  expires_at timestamptz,                        -- null: until removed
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

--! function username_skeleton

-- Usernames that cannot sign up, or only with approval; operators may change them.
create table username_blocks (
  id bigint primary key generated always as identity,
  username text not null,                        -- as written
  skeleton text not null generated always as (username_skeleton(username)) stored unique,
  exact boolean not null,                        -- false: names that contain it
  allow_with_approval boolean not null default false,
  created_at timestamptz not null default now()
);

-- The reserved names of a new server.
insert into username_blocks (username, exact)
select name, true
from unnest(array[
  'abuse', 'account', 'accounts', 'admin', 'administration', 'administrator', 'admins', 'help', 'helpdesk', 'instance', 'mod', 'moderator',
  'moderators', 'mods', 'owner', 'root', 'security', 'server', 'staff', 'support', 'webmaster'
]) name
union all
select name, false from unnest(array['mastodon', 'mastadon']) name;
