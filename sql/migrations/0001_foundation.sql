-- The foundation of every other table: ids, the event log, settings and secrets.
--
-- The schema is in twelve files, by domain; a table precedes those that refer to it, and is
-- followed by its indexes and triggers. Functions are in sql/functions, one file each. A line
-- `--! function NAME` creates one here, because later statements need it; the others are created
-- after the last migration, and each again when its text has changed.
--
-- Ids: tables whose ids are ordered by time for clients, or whose rows may come from other servers
-- (statuses, accounts, media, conversations, collections, quotes, notification requests, preview
-- cards), default to snowflake(); all others are `generated always as identity`.
--
-- Indexes named TABLE_by_X or TABLE_X over one column without a comment are on a foreign key: they
-- find the rows that refer to a deleted row without reading the whole table.
--
-- The triggers, and the effect of each:
--   events_notify                     notifies the readers of the log in all processes
--   users_pending                     accounts.pending: the user is unconfirmed or not approved
--   accounts_suspension               blocks the address of suspended accounts at sign-up
--   accounts_domain_rule              limits or suspends new accounts of a moderated domain
--   backups_removed                   removes the file of a removed archive
--   follows_counted                   account_stats counts new follows
--   follows_deleted                   … and ended ones; removes notifications and endorsements
--   follow_requests_deleted           removes the notifications of removed follow requests
--   domain_blocked                    ends exemptions of a blocked domain from the policy
--   status_tags_author                status_tags.account_id is the author of the status
--   statuses_content_kinds, statuses_content_kinds_changed, media_attachments_content_kinds,
--   polls_content_kinds, quotes_content_kinds, preview_cards_statuses_content_kinds,
--   preview_cards_content_kinds, media_attachments_described, polls_worded
--                                     update statuses.content_kinds and statuses.attached_text from
--                                     other tables; the index of the search reads them
--   filters_limited, filter_keywords_limited, filter_keywords_limited_on_change,
--   filter_statuses_limited           limit the filters of an account
--   notification_grouped, notifications_left_groups
--                                     maintain notification_groups
--   notifications_deleted             notification_requests counts filtered notifications
--   notification_pushed               adds a job for each subscription that wants the notification
--   notification_mailed               adds a job for the e-mail about it, if wanted

-- For the search of accounts by parts of their names.
create extension if not exists pg_trgm;

-- Snowflakes: milliseconds since the epoch in the upper 48 bits, so that order by id is order by
-- time; a sequence in the lower 16, so that 65,536 ids fit into one millisecond.
create sequence snowflakes as bigint cycle;

--! function snowflake

-- The event log: the transaction of a change writes a row. Readers only read rows of finished
-- transactions (txid < pg_snapshot_xmin(pg_current_snapshot())) and continue after the pair (txid,
-- id): ids do not commit in order.
-- kind: the type of event; actor_id: the account that caused it;
-- account_id: the account that it concerns; object_id: the list, notification, announcement …
-- that it is about; data: the facts by which streams and feeds decide, so that they need no query
-- (and have them after the row is deleted).
create table events (
  txid xid8 not null default pg_current_xact_id(),
  id bigint not null generated always as identity,
  kind text not null,
  actor_id bigint,
  account_id bigint,
  status_id bigint,
  object_id bigint,
  data jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
) partition by range (created_at);
create index events_cursor on events (txid, id);

-- Rows whose hour has no partition yet. Empty while the server runs.
create table events_default partition of events default;

--! function notify_events

-- Commits with NOTIFY are serialised, and wait for the disk one by one. Frequent transactions
-- therefore set millrace.defer_notify to 'on'; the caller notifies the readers after the commit
-- (src/platform/events/notifier.ts), once for all that commit meanwhile.
create trigger events_notify after insert on events for each statement
  when (current_setting('millrace.defer_notify', true) is distinct from 'on')
  execute function notify_events();

-- Settings that an administrator changes at run time; an absent key has its default.
create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- Created at the first start and never shown: VAPID keys, the secret that signs cookies and CSRF
-- tokens.
create table secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

-- Counters of rate limits that must hold across processes. Losing them in a crash is harmless.
create unlogged table rate_counters (
  name text not null,
  key text not null,
  window_start timestamptz not null,
  expires_at timestamptz not null,
  amount bigint not null,
  primary key (name, key, window_start)
);
create index rate_counters_expires_at on rate_counters (expires_at);
