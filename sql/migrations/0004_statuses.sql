-- Statuses and what hangs on them.

create type visibility as enum ('public', 'unlisted', 'private', 'direct', 'limited');

create table conversations (
  id bigint primary key default snowflake(),
  uri text unique,
  created_at timestamptz not null default now()
);

create table statuses (
  id bigint primary key default snowflake(),
  account_id bigint not null references accounts (id) on delete cascade,
  local boolean not null default true,
  uri text,                                      -- null for local statuses: made from the id
  url text,
  text text not null default '',                 -- as written; empty for boosts
  content text not null default '',              -- HTML, made or sanitised once, when stored
  spoiler_text text not null default '',
  visibility visibility not null,
  sensitive boolean not null default false,
  language text,
  in_reply_to_id bigint references statuses (id) on delete set null,
  in_reply_to_account_id bigint references accounts (id) on delete set null,
  reblog_of_id bigint references statuses (id) on delete cascade,
  conversation_id bigint references conversations (id) on delete set null,
  application_id bigint references applications (id) on delete set null,
  media_attachment_ids bigint[] not null default '{}',   -- in the author's order
  quote_approval_policy text not null default 'public',  -- public, followers, nobody
  edited_at timestamptz,
  deleted_at timestamptz,                        -- hidden everywhere, removed for good by a job
  created_at timestamptz not null default now()
);

create index statuses_by_account on statuses (account_id, id desc) where deleted_at is null;
create index statuses_public on statuses (id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);
create index statuses_public_local on statuses (id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null and local
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);
create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null;
create index statuses_in_reply_to_account on statuses (in_reply_to_account_id) where in_reply_to_account_id is not null;
create index statuses_reblogs on statuses (reblog_of_id, id desc) where reblog_of_id is not null;
create unique index statuses_reblog_once on statuses (account_id, reblog_of_id)
  where reblog_of_id is not null and deleted_at is null;
create index statuses_conversation on statuses (conversation_id) where conversation_id is not null;
create unique index statuses_uri on statuses (uri) where uri is not null;
create index statuses_deleted on statuses (deleted_at) where deleted_at is not null;
create index statuses_application on statuses (application_id) where application_id is not null;

create table status_stats (
  status_id bigint primary key references statuses (id) on delete cascade,
  replies_count integer not null default 0,
  reblogs_count integer not null default 0,
  favourites_count integer not null default 0,
  quotes_count integer not null default 0
) with (fillfactor = 70);

create table mentions (
  id bigint primary key generated always as identity,
  status_id bigint not null references statuses (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  silent boolean not null default false,         -- may see the status, is not shown as mentioned
  unique (status_id, account_id)
);

create index mentions_by_account on mentions (account_id, status_id desc);

create table favourites (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, status_id)
);

create index favourites_by_account on favourites (account_id, id desc);
create index favourites_by_status on favourites (status_id, id desc);

create table bookmarks (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, status_id)
);

create index bookmarks_by_account on bookmarks (account_id, id desc);
create index bookmarks_by_status on bookmarks (status_id);

create table status_pins (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, status_id)
);

create index status_pins_by_status on status_pins (status_id);

create table conversation_mutes (
  account_id bigint not null references accounts (id) on delete cascade,
  conversation_id bigint not null references conversations (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, conversation_id)
);

create index conversation_mutes_by_conversation on conversation_mutes (conversation_id);

-- A direct conversation as one participant has it (entity Conversation).
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

create index account_conversations_recent on account_conversations (account_id, last_status_id desc);
create index account_conversations_by_status on account_conversations (last_status_id);
create index account_conversations_by_conversation on account_conversations (conversation_id);

create table tags (
  id bigint primary key generated always as identity,
  name text not null unique,                     -- normalised, api/conventions.md 14.2
  display_name text not null,                    -- the first spelling seen
  usable boolean not null default true,
  trendable boolean,                             -- null: not reviewed
  listable boolean not null default true,
  last_status_at timestamptz,
  created_at timestamptz not null default now()
);

create index tags_prefix on tags (name text_pattern_ops);

create table status_tags (
  tag_id bigint not null references tags (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  primary key (tag_id, status_id)
);

create index status_tags_by_status on status_tags (status_id);

create table tag_follows (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);

create index tag_follows_by_tag on tag_follows (tag_id);

create table featured_tags (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);

create table media_attachments (
  id bigint primary key default snowflake(),
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint references statuses (id) on delete set null,
  type text not null default 'unknown',          -- image, gifv, video, audio, unknown
  processing text not null default 'done',       -- queued, running, done, failed
  file_key text,
  preview_key text,
  remote_url text,
  meta jsonb not null default '{}',
  description text,
  blurhash text,
  created_at timestamptz not null default now()
);

create index media_attachments_by_status on media_attachments (status_id) where status_id is not null;
create index media_attachments_unattached on media_attachments (created_at) where status_id is null;
create index media_attachments_by_account on media_attachments (account_id);

create table status_edits (
  id bigint primary key generated always as identity,
  status_id bigint not null references statuses (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  text text not null,
  content text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  details jsonb not null default '{}',           -- poll options and media of that version
  created_at timestamptz not null default now()
);

create index status_edits_by_status on status_edits (status_id, id);

-- Answers to POST /api/v1/statuses by Idempotency-Key; kept for an hour.
create table idempotency_keys (
  account_id bigint not null references accounts (id) on delete cascade,
  key text not null,
  status_id bigint references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);

create index idempotency_keys_created_at on idempotency_keys (created_at);
create index idempotency_keys_by_status on idempotency_keys (status_id);
