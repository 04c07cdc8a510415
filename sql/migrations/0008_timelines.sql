-- The private reading state of accounts: conversations, lists, filters, markers.

-- A direct conversation of one participant (entity Conversation).
create table account_conversations (
  id bigint primary key default snowflake(),
  account_id bigint not null references accounts (id) on delete cascade,
  conversation_id bigint not null references conversations (id) on delete cascade,
  participant_account_ids bigint[] not null,     -- the others, sorted
  status_ids bigint[] not null,                  -- sorted, the newest last
  last_status_id bigint references statuses (id) on delete set null,
  unread boolean not null default false,
  unique (account_id, conversation_id, participant_account_ids)
);
-- An account's conversations, the latest first.
create index account_conversations_recent on account_conversations (account_id, last_status_id desc);
create index account_conversations_by_status on account_conversations (last_status_id);
create index account_conversations_by_conversation on account_conversations (conversation_id);

create table lists (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  title text not null,
  replies_policy text not null default 'list' check (replies_policy in ('followed', 'list', 'none')),
  exclusive boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index lists_by_account on lists (account_id, id);

-- A member counts while the owner follows it or is the member: removing the follow removes the
-- membership.
create table list_accounts (
  list_id bigint not null references lists (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  follow_id bigint references follows (id) on delete cascade,
  follow_request_id bigint references follow_requests (id) on delete cascade,
  primary key (list_id, account_id)
);
create index list_accounts_by_account on list_accounts (account_id);
create index list_accounts_by_follow on list_accounts (follow_id);
create index list_accounts_by_follow_request on list_accounts (follow_request_id);

--! function limit_filters

create table filters (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  title text not null,
  contexts text[] not null check (contexts <@ array['home', 'notifications', 'public', 'thread', 'account']),
  action text not null default 'warn' check (action in ('warn', 'hide', 'blur')),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index filters_by_account on filters (account_id, id);

create trigger filters_limited after insert on filters
  referencing new table as given for each statement execute function limit_filters();

create table filter_keywords (
  id bigint primary key generated always as identity,
  filter_id bigint not null references filters (id) on delete cascade,
  keyword text not null,
  whole_word boolean not null default true,
  created_at timestamptz not null default now()
);
create index filter_keywords_by_filter on filter_keywords (filter_id, id);

create trigger filter_keywords_limited after insert on filter_keywords
  referencing new table as given for each statement execute function limit_filters();
create trigger filter_keywords_limited_on_change after update on filter_keywords
  referencing old table as former new table as given for each statement execute function limit_filters();

create table filter_statuses (
  id bigint primary key generated always as identity,
  filter_id bigint not null references filters (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (filter_id, status_id)
);
create index filter_statuses_by_status on filter_statuses (status_id);

create trigger filter_statuses_limited after insert on filter_statuses
  referencing new table as given for each statement execute function limit_filters();

-- The position up to which an account has read a timeline.
create table markers (
  account_id bigint not null references accounts (id) on delete cascade,
  timeline text not null check (timeline in ('home', 'notifications')),
  last_read_id bigint not null,
  version integer not null default 0,
  updated_at timestamptz not null default now(),
  primary key (account_id, timeline)
);
