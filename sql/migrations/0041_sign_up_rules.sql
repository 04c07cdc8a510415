-- What keeps people from signing up (e-mail domains, addresses, networks), and what the pages of an account keep: sign-ins, two-factor
-- sign-in that is being set up, archives.
-- Locks: columns without a default are added to users, which takes an instant; a trigger is added to accounts, whose writers wait while
-- that is done; every user and every suspended account is looked at once.

-- Addresses at a domain, below it, or whose mail one of its hosts takes, are refused or need approval.
create table email_domain_blocks (
  id bigint primary key generated always as identity,
  domain text not null unique,                   -- lower case, ASCII
  allow_with_approval boolean not null default false,
  parent_id bigint references email_domain_blocks (id) on delete cascade,   -- the domain that this is a mail server of
  created_at timestamptz not null default now()
);

create index email_domain_blocks_parent on email_domain_blocks (parent_id) where parent_id is not null;

-- How often people have tried to sign up with blocked domains, by day and their address.
create table email_domain_block_attempts (
  block_id bigint not null references email_domain_blocks (id) on delete cascade,
  day date not null,
  ip inet not null,
  uses integer not null default 1,
  primary key (block_id, day, ip)
);

create index email_domain_block_attempts_day on email_domain_block_attempts (day);

-- The hash under which all spellings of an address are one (canonical_email), as administrators and clients know it.
create function canonical_email_hash(email text) returns text
language sql immutable parallel safe
return encode(sha256(convert_to(canonical_email(email), 'UTF8')), 'hex');

create table canonical_email_blocks (
  id bigint primary key generated always as identity,
  canonical_email_hash text not null unique,
  reference_account_id bigint references accounts (id) on delete cascade,   -- the suspended account that it is because of
  created_at timestamptz not null default now()
);

create index canonical_email_blocks_account on canonical_email_blocks (reference_account_id)
  where reference_account_id is not null;

-- Whoever suspends somebody keeps that person from coming back under the same address; who deletes their own account may come back.
create function follow_suspension() returns trigger language plpgsql as $$
begin
  if new.suspended_at is null then
    delete from canonical_email_blocks b where b.reference_account_id = new.id;
  elsif new.deletion_requested_at is null then
    insert into canonical_email_blocks (canonical_email_hash, reference_account_id)
    select canonical_email_hash(u.email), new.id from users u where u.account_id = new.id
    on conflict do nothing;
  end if;
  return null;
end
$$;

create trigger accounts_suspension after update of suspended_at on accounts
for each row when (new.domain is null and (old.suspended_at is null) <> (new.suspended_at is null))
execute function follow_suspension();

insert into canonical_email_blocks (canonical_email_hash, reference_account_id)
select canonical_email_hash(u.email), a.id
from users u join accounts a on a.id = u.account_id
where a.suspended_at is not null and a.deletion_requested_at is null
on conflict do nothing;

create table ip_blocks (
  id bigint primary key generated always as identity,
  ip cidr not null unique,
  severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text not null default '',
  expires_at timestamptz,                        -- null: until removed
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table login_activities (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id) on delete cascade,
  method text not null,                          -- password, otp
  success boolean not null,
  ip inet not null,
  user_agent text not null default '',
  created_at timestamptz not null default now()
);

create index login_activities_user on login_activities (user_id, id desc);
create index login_activities_created_at on login_activities (created_at);

-- Archives that people ask for of their own data.
create table backups (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id) on delete cascade,
  file_key text,                                 -- null: not ready yet, or removed
  size_bytes bigint not null default 0,
  ready_at timestamptz,
  created_at timestamptz not null default now()
);

create index backups_user on backups (user_id, id desc);
create index backups_ready_at on backups (ready_at) where file_key is not null;

alter table users
  add column otp_pending_secret text,            -- shown to be scanned, not confirmed by a code yet
  add column otp_pending_at timestamptz,
  add column welcomed_at timestamptz;            -- when what follows from confirmation and approval was done

update users set welcomed_at = users.created_at where users.confirmed_at is not null and users.approved;
