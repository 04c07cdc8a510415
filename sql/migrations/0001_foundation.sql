-- What every other table stands on: ids, the event log, settings and secrets.
--
-- The schema in twelve files, by domain; a table comes before those that refer to it. Beside a table stand its indexes and triggers.
-- Functions are in sql/functions, one text each. A line `--! function NAME` creates one here, because what follows needs it; the others
-- are created after the last migration, and any of them again when its text has changed.
--
-- Ids: tables whose ids clients see in the order of time, or that other servers could number too (statuses, accounts, media, conversations,
-- collections, quotes, notification requests, preview cards), default to snowflake(); all others are `generated always as identity`.
--
-- Indexes named TABLE_by_X or TABLE_X over one column without a word of explanation are on a foreign key: with them the rows that refer to
-- a deleted row are found without reading the whole table.
--
-- The triggers, and what each keeps true:
--   events_notify                     readers of the log in all processes hear of new events
--   users_pending                     accounts.pending is whether the user is unconfirmed or not approved
--   accounts_suspension               the e-mail address of somebody who is suspended cannot sign up again
--   accounts_domain_rule              accounts of a moderated domain are limited or suspended from the start
--   backups_removed                   the file of a removed archive is removed
--   follows_counted                   account_stats counts follows that are made
--   follows_deleted                   … and that end; their notifications and endorsements end with them
--   follow_requests_deleted           so do the notifications of follow requests
--   domain_blocked                    blocking a domain ends the exemptions of its accounts from the notification policy
--   status_tags_author                status_tags.account_id is the author of the status
--   statuses_content_kinds, statuses_content_kinds_changed, media_attachments_content_kinds, polls_content_kinds, quotes_content_kinds,
--   preview_cards_statuses_content_kinds, preview_cards_content_kinds, media_attachments_described, polls_worded
--                                     statuses.content_kinds and statuses.attached_text tell what other tables have of a status; the index of the
--                                     search reads them
--   filters_limited, filter_keywords_limited, filter_keywords_limited_on_change, filter_statuses_limited
--                                     what an account keeps in filters is bounded
--   notification_grouped, notifications_left_groups
--                                     notification_groups has the size, the newest and the oldest of each group
--   notifications_deleted             notification_requests counts what the policy holds back
--   notification_pushed               each subscription that wants a notification has a job
--   notification_mailed               so has each person who wants an e-mail about it

-- For the search of accounts by parts of their names.
create extension if not exists pg_trgm;

-- Snowflakes: milliseconds since the epoch in the upper 48 bits, so that order by id is order by time;
-- a sequence below, so that 65,536 ids fit into one millisecond.
create sequence snowflakes as bigint cycle;

--! function snowflake

-- The event log: a row is written by the transaction that makes the change. Readers take rows of finished transactions only
-- (txid < pg_snapshot_xmin(pg_current_snapshot())) and go on from the pair (txid, id): ids do not commit in order.
-- kind: what happened; actor_id: who did it; account_id: whom it concerns; object_id: the list, notification, announcement, tag … it is about;
-- data: the facts that streams and feeds decide by, so that they need no query (and have them when the row is gone).
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

-- Rows for which no partition of their hour has been made yet. It is empty while the server runs.
create table events_default partition of events default;

--! function notify_events

-- Commits that notify take turns, and wait for the disk one by one. A transaction that is one of many sets millrace.defer_notify to 'on' and
-- notifies the readers itself when it has committed (src/platform/events/notifier.ts), once for all that commit meanwhile.
create trigger events_notify after insert on events for each statement
  when (current_setting('millrace.defer_notify', true) is distinct from 'on')
  execute function notify_events();

-- Settings that an administrator changes at run time (api/settings.md); a key that is absent has its default.
create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- Made at first start and never shown: VAPID keys, the secret that cookies and CSRF tokens are signed with.
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
