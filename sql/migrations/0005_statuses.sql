-- Statuses and the tables that belong to them.

create type visibility as enum ('public', 'unlisted', 'private', 'direct', 'limited');

create table conversations (
  id bigint primary key default snowflake(),
  uri text unique,
  created_at timestamptz not null default now()
);

--! function status_search_vector
--! function set_content_kinds

create table statuses (
  id bigint primary key default snowflake(),
  account_id bigint not null references accounts (id) on delete cascade,
  local boolean not null default true,
  uri text,                                      -- null for local statuses: derived from the id
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
  content_kinds text[] not null default '{}',            -- content in other tables: kinds of attachments, poll, quote, embed
  attached_text text not null default '',        -- descriptions of its attachments and options of its poll, for the search
  quote_approval_policy text not null default 'public' check (quote_approval_policy in ('public', 'followers', 'nobody')),
  trendable boolean,                             -- the moderators' decision; null: its author's decides, then the setting
  edited_at timestamptz,
  deleted_at timestamptz,                        -- hidden everywhere; a job deletes the row
  created_at timestamptz not null default now()
);
-- Profiles: all, without replies to others, with media; and the direct statuses of an account.
create index statuses_by_account on statuses (account_id, id desc) where deleted_at is null;
create index statuses_by_account_unanswering on statuses (account_id, id desc)
  where deleted_at is null and (in_reply_to_account_id is null or in_reply_to_account_id = account_id);
create index statuses_by_account_with_media on statuses (account_id, id desc)
  where deleted_at is null and media_attachment_ids <> '{}';
create index statuses_direct on statuses (account_id, id desc) where deleted_at is null and visibility = 'direct';
-- The public timelines of this server and of the others, each with media only, and in chosen
-- languages. With the latter an unused language is found to be empty at once; before, all public
-- statuses were read: 0.3 to 1.1 s of a million. Statuses with media are separate, because
-- `only_media` selects them alone. The last two cost a public post 15 bytes of write-ahead log and
-- 0.6 µs, measured with 50,000 of them.
create index statuses_public_local on statuses (id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null and local
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);
create index statuses_public_remote on statuses (id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null and not local
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);
create index statuses_public_media_by_origin on statuses (local, id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null and media_attachment_ids <> '{}'
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);
create index statuses_public_by_language on statuses (local, language, (media_attachment_ids <> '{}'), id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);
-- The replies of a thread.
create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null;
create index statuses_in_reply_to_account on statuses (in_reply_to_account_id) where in_reply_to_account_id is not null;
-- The accounts that boosted a status, newest first; each does so once.
create index statuses_reblogs on statuses (reblog_of_id, id desc) where reblog_of_id is not null;
create unique index statuses_reblog_once on statuses (account_id, reblog_of_id)
  where reblog_of_id is not null and deleted_at is null;
create index statuses_conversation on statuses (conversation_id) where conversation_id is not null;
create unique index statuses_uri on statuses (uri) where uri is not null;
-- A job deletes them for good.
create index statuses_deleted on statuses (deleted_at) where deleted_at is not null;
create index statuses_application on statuses (application_id) where application_id is not null;
-- The search. The pending list of the index is kept short, because every search reads it.
create index statuses_search on statuses using gin (
  status_search_vector(
    id, account_id, text, content, spoiler_text, language, sensitive, in_reply_to_id, media_attachment_ids, visibility, content_kinds, attached_text
  )
) with (gin_pending_list_limit = 128) where deleted_at is null and reblog_of_id is null;

-- A new status already has its attachments; its other content is added when that is stored.
create trigger statuses_content_kinds before insert on statuses
for each row when (new.media_attachment_ids <> '{}') execute function set_content_kinds();
create trigger statuses_content_kinds_changed before update of media_attachment_ids on statuses
for each row when (new.media_attachment_ids is distinct from old.media_attachment_ids) execute function set_content_kinds();

-- Counters separate from the status: they change often, the status rarely.
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
-- The statuses that mention an account, the newest first.
create index mentions_by_account on mentions (account_id, status_id desc);

create table favourites (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, status_id)
);
-- The favourites of an account and of a status, newest first.
create index favourites_by_account on favourites (account_id, id desc);
create index favourites_by_status on favourites (status_id, id desc);

create table bookmarks (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, status_id)
);
-- The bookmarks of an account, newest first.
create index bookmarks_by_account on bookmarks (account_id, id desc);
create index bookmarks_by_status on bookmarks (status_id);

-- Statuses at the top of a profile.
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

-- All versions of edited statuses, oldest first, the current one last.
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

-- Scheduled statuses.
create table scheduled_statuses (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  application_id bigint references applications (id) on delete set null,
  scheduled_at timestamptz not null,
  params jsonb not null,                         -- as sent (entity ScheduledStatusParams)
  settled jsonb not null,                        -- validated, with the author's preferences of that time
  created_at timestamptz not null default now()
);
-- An account's scheduled statuses, the newest first.
create index scheduled_statuses_by_account on scheduled_statuses (account_id, id desc);
create index scheduled_statuses_by_application on scheduled_statuses (application_id) where application_id is not null;

-- Responses to POST /api/v1/statuses by Idempotency-Key, stored for an hour. They stay when the
-- scheduled status has been cancelled: a repetition then gets 404 and schedules nothing, so
-- scheduled_status_id may refer to a row that no longer exists. The status may be stored later in
-- the same transaction: a key is claimed before its status is stored, so that the second of two
-- posts with the same key stores nothing.
create table idempotency_keys (
  account_id bigint not null references accounts (id) on delete cascade,
  key text not null,
  status_id bigint references statuses (id) on delete cascade deferrable initially deferred,
  scheduled_status_id bigint,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
-- Keys are removed by age.
create index idempotency_keys_created_at on idempotency_keys (created_at);
create index idempotency_keys_by_status on idempotency_keys (status_id);
create index idempotency_keys_by_scheduled_status on idempotency_keys (scheduled_status_id) where scheduled_status_id is not null;

--! function refresh_content_kinds
--! function refresh_content_kinds_of_status
--! function refresh_content_kinds_of_card

create table polls (
  id bigint primary key generated always as identity,
  status_id bigint not null unique references statuses (id) on delete cascade,
  options text[] not null,
  tallies integer[] not null,                    -- votes by option, in the order of the options
  voters_count integer not null default 0,
  multiple boolean not null,
  hide_totals boolean not null,
  expires_in_s integer,                          -- as requested by the author; null for remote polls
  expires_at timestamptz,                        -- null: never (remote)
  ended_at timestamptz,                          -- when the notifications of the end began
  created_at timestamptz not null default now()
) with (fillfactor = 80);

create trigger polls_content_kinds after insert or delete on polls
for each row execute function refresh_content_kinds_of_status();
create trigger polls_worded after update of options on polls
for each row when (new.options <> old.options) execute function refresh_content_kinds_of_status();

create table poll_votes (
  poll_id bigint not null references polls (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  choice integer not null,                       -- index of the option, from 0
  created_at timestamptz not null default now(),
  primary key (poll_id, account_id, choice)
);
create index poll_votes_by_account on poll_votes (account_id);

create table quotes (
  id bigint primary key default snowflake(),
  status_id bigint not null unique references statuses (id) on delete cascade,      -- the quoting status
  account_id bigint not null references accounts (id) on delete cascade,
  quoted_status_id bigint references statuses (id) on delete set null,              -- null when it is deleted for good
  quoted_account_id bigint not null references accounts (id) on delete cascade,
  state text not null check (state in ('pending', 'accepted', 'rejected', 'revoked')),
  created_at timestamptz not null default now()
);
-- The quotes of a status, newest first.
create index quotes_of_status on quotes (quoted_status_id, id desc) where state = 'accepted';
create index quotes_by_quoted_status on quotes (quoted_status_id) where quoted_status_id is not null;
create index quotes_by_account on quotes (account_id);
create index quotes_by_quoted_account on quotes (quoted_account_id);

create trigger quotes_content_kinds after insert or delete on quotes
for each row execute function refresh_content_kinds_of_status();

-- Previews of pages that statuses link to.
create table preview_cards (
  id bigint primary key default snowflake(),
  url text not null unique check (octet_length(url) <= 2048),  -- normalised, as in the first status that linked to it, even when it redirects
  type text not null check (type in ('link', 'photo', 'video')),
  title text not null default '',
  description text not null default '',
  language text,
  author_name text not null default '',
  author_url text not null default '',
  creator_account_id bigint references accounts (id) on delete set null,  -- named by the page; confirmed by the account's attribution_domains
  provider_name text not null default '',
  provider_url text not null default '',
  html text not null default '',                 -- sanitised, for videos
  width integer not null default 0,
  height integer not null default 0,
  image_key text,
  image_description text not null default '',
  blurhash text,
  embed_url text not null default '',            -- of photos
  published_at timestamptz,
  trendable boolean,                             -- the moderators' decision; null: its publisher's decides
  fetched_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index preview_cards_by_creator on preview_cards (creator_account_id) where creator_account_id is not null;

create trigger preview_cards_content_kinds after update of type on preview_cards
for each row when ((new.type = 'video') <> (old.type = 'video')) execute function refresh_content_kinds_of_card();

-- The preview of a status.
create table preview_cards_statuses (
  status_id bigint primary key references statuses (id) on delete cascade,
  preview_card_id bigint not null references preview_cards (id) on delete cascade,
  url text not null                              -- as written in the status
);
-- The statuses that link to a page, the newest first.
create index preview_cards_statuses_by_card on preview_cards_statuses (preview_card_id, status_id desc);

create trigger preview_cards_statuses_content_kinds after insert or delete or update of preview_card_id on preview_cards_statuses
for each row execute function refresh_content_kinds_of_status();

-- Recent translations, so that the same text is paid for once.
create table translations (
  digest bytea primary key,                      -- SHA-256 of backend, languages and texts
  texts text[] not null,                         -- in the order of the request
  source text,                                   -- the language of the originals; null when unknown
  created_at timestamptz not null default now()
);
-- Rows are removed by age.
create index translations_by_age on translations (created_at);
