-- Notifications and what decides over them (api/delivery.md section 4).

create table notifications (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,       -- recipient
  from_account_id bigint not null references accounts (id) on delete cascade,  -- who caused it
  type text not null,
  status_id bigint references statuses (id) on delete cascade,
  activity_id bigint,                            -- the favourite, follow, boost, report … that caused it: one notification for each
  group_key text not null,
  filtered boolean not null default false,
  created_at timestamptz not null default now()
);

create unique index notifications_once on notifications (account_id, type, from_account_id, activity_id);
create index notifications_list on notifications (account_id, id desc);
create index notifications_by_type on notifications (account_id, type, id desc);
create index notifications_by_sender on notifications (from_account_id, account_id, id desc);
create index notifications_group on notifications (account_id, group_key, id desc) where not filtered;
create index notifications_by_status on notifications (status_id) where status_id is not null;

-- accept, filter or drop; an account without a row has the defaults.
create table notification_policies (
  account_id bigint primary key references accounts (id) on delete cascade,
  for_not_following text not null default 'accept',
  for_not_followers text not null default 'accept',
  for_new_accounts text not null default 'accept',
  for_private_mentions text not null default 'filter',
  for_limited_accounts text not null default 'filter',
  for_bots text not null default 'accept'
);

-- Senders exempt from the policy, because a request of theirs was accepted.
create table notification_permissions (
  account_id bigint not null references accounts (id) on delete cascade,
  from_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, from_account_id)
);

create index notification_permissions_by_sender on notification_permissions (from_account_id);

create table notification_requests (
  id bigint primary key default snowflake(),
  account_id bigint not null references accounts (id) on delete cascade,
  from_account_id bigint not null references accounts (id) on delete cascade,
  last_status_id bigint references statuses (id) on delete set null,
  notifications_count bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, from_account_id)
);

create index notification_requests_by_sender on notification_requests (from_account_id);
create index notification_requests_by_status on notification_requests (last_status_id);
