-- Notifications, the policies that filter them, and their delivery by push messages and e-mail.

--! function join_notification_group
--! function leave_notification_groups
--! function shrink_notification_requests
--! function enqueue_pushes
--! function enqueue_mail

create table notifications (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,       -- recipient
  from_account_id bigint not null references accounts (id) on delete cascade,  -- the originator
  type text not null check (type in (
    'mention', 'status', 'reblog', 'follow', 'follow_request', 'favourite', 'poll', 'update', 'severed_relationships',
    'moderation_warning', 'annual_report', 'admin.sign_up', 'admin.report', 'quote', 'quoted_update', 'added_to_collection',
    'collection_update'
  )),
  status_id bigint references statuses (id) on delete cascade,
  activity_id bigint,                            -- the favourite, follow, boost, report … that caused it: one notification for each
  group_key text not null,
  filtered boolean not null default false,
  created_at timestamptz not null default now()
);
-- One notification for each cause.
create unique index notifications_once on notifications (account_id, type, from_account_id, activity_id);
-- An account's notifications, newest first: all, of some types, by a sender, of a group, and
-- ungrouped ones.
create index notifications_list on notifications (account_id, id desc);
create index notifications_by_type on notifications (account_id, type, id desc);
create index notifications_by_sender on notifications (from_account_id, account_id, id desc);
create index notifications_group on notifications (account_id, group_key, id desc) where not filtered;
create index notifications_alone on notifications (account_id, type, id desc) where group_key like 'ungrouped-%';
create index notifications_by_status on notifications (status_id) where status_id is not null;

-- Deferred to the end of the transaction: the row of a group is then the last lock of both
-- additions and removals, so that a favourite and its simultaneous removal cannot deadlock.
create constraint trigger notification_grouped after insert on notifications
deferrable initially deferred for each row when (new.group_key not like 'ungrouped-%')
execute function join_notification_group();
create trigger notifications_left_groups after delete on notifications referencing old table as removed
for each statement execute function leave_notification_groups();
create trigger notifications_deleted after delete on notifications referencing old table as removed
for each statement execute function shrink_notification_requests();
create trigger notification_pushed after insert on notifications
for each row when (not new.filtered) execute function enqueue_pushes();
create trigger notification_mailed after insert on notifications
for each row when (
  not new.filtered and new.type in ('mention', 'quote', 'follow', 'follow_request', 'favourite', 'reblog')
) execute function enqueue_mail();

-- The groups of each account, one row each while they have members: ungrouped notifications (keys
-- `ungrouped-ID`) have none. `newest_id` gives the place of a group in the list and `members` its
-- size, at a cost that does not depend on the number of members; `oldest_id` gives its start: a
-- page that starts inside a group shows the group's state at that point.
create table notification_groups (
  account_id bigint not null references accounts (id) on delete cascade,
  group_key text not null,
  type text not null,
  newest_id bigint not null,
  oldest_id bigint not null,
  members bigint not null,
  primary key (account_id, group_key)
);
-- An account's groups, newest first. The second bound is checked in the index, so that of the
-- groups above a page only those with members below its top are read.
create index notification_groups_list on notification_groups (account_id, type, newest_id desc, oldest_id);
create index notification_groups_oldest on notification_groups (account_id, type, oldest_id);

-- The notification policies; an account without a row has the defaults.
create table notification_policies (
  account_id bigint primary key references accounts (id) on delete cascade,
  for_not_following text not null default 'accept' check (for_not_following in ('accept', 'filter', 'drop')),
  for_not_followers text not null default 'accept' check (for_not_followers in ('accept', 'filter', 'drop')),
  for_new_accounts text not null default 'accept' check (for_new_accounts in ('accept', 'filter', 'drop')),
  for_private_mentions text not null default 'filter' check (for_private_mentions in ('accept', 'filter', 'drop')),
  for_limited_accounts text not null default 'filter' check (for_limited_accounts in ('accept', 'filter', 'drop')),
  for_bots text not null default 'accept' check (for_bots in ('accept', 'filter', 'drop'))
);

-- Senders exempt from the policy, because their request was accepted.
create table notification_permissions (
  account_id bigint not null references accounts (id) on delete cascade,
  from_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, from_account_id)
);
create index notification_permissions_by_sender on notification_permissions (from_account_id);

-- Senders whose mentions and quotes the policy filters, with their number.
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
-- An account's requests, the newest first.
create index notification_requests_list on notification_requests (account_id, id desc);
create index notification_requests_by_sender on notification_requests (from_account_id);
create index notification_requests_by_status on notification_requests (last_status_id);

-- Accepted senders whose notifications are still being restored.
create table notification_merges (
  account_id bigint not null references accounts (id) on delete cascade,
  from_account_id bigint not null references accounts (id) on delete cascade,
  primary key (account_id, from_account_id)
);
create index notification_merges_by_sender on notification_merges (from_account_id);

create table push_subscriptions (
  id bigint primary key generated always as identity,
  token_id bigint not null unique references oauth_tokens (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  endpoint text not null,
  key_p256dh text not null,
  key_auth text not null,
  -- the token that created it, encrypted: clients recognise the recipient of a message by it
  -- (src/notifications/push/encrypted_token.ts)
  sealed_token bytea not null,
  standard boolean not null default false,
  alerts jsonb not null default '{}',
  policy text not null default 'all' check (policy in ('all', 'followed', 'follower', 'none')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index push_subscriptions_by_user on push_subscriptions (user_id);
