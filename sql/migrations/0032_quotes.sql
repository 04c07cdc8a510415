-- Statuses that quote others.
-- Locks: none on existing tables, but for a moment statuses and accounts, which the new one refers to.

create table quotes (
  id bigint primary key default snowflake(),
  status_id bigint not null unique references statuses (id) on delete cascade,      -- that quotes
  account_id bigint not null references accounts (id) on delete cascade,
  quoted_status_id bigint references statuses (id) on delete set null,              -- null when it is gone for good
  quoted_account_id bigint not null references accounts (id) on delete cascade,
  state text not null,                           -- pending, accepted, rejected, revoked
  created_at timestamptz not null default now()
);

create index quotes_of_status on quotes (quoted_status_id, id desc) where state = 'accepted';
create index quotes_by_quoted_status on quotes (quoted_status_id) where quoted_status_id is not null;
create index quotes_by_account on quotes (account_id);
create index quotes_by_quoted_account on quotes (quoted_account_id);
