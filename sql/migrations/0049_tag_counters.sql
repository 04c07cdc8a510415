-- Daily figures of hashtags, kept by triggers in the transaction of each use, for the measures and
-- dimensions of the dashboard. Counting what is there reads and rewrites the hashtags of all
-- statuses once (some 10 s a million) and holds up statuses with hashtags meanwhile. The triggers
-- wait for the statements on statuses and accounts that run at the time.

-- What each row is counted by, as status_tag_facts says.
alter table status_tags
  add column language text,
  add column counted boolean not null default false,   -- the status is not deleted
  add column listed boolean not null default false;    -- … and everybody may find it

-- Uses in all statuses. As in day_counters, each connection adds to rows of its own, and a job adds
-- them up (instance/fold_tag_servers, instance/fold_tag_uses).
create table tag_server_days (
  tag_id bigint not null,
  day date not null,                             -- UTC
  domain text not null,                          -- '': this server
  language text not null,                        -- '': unknown
  slot integer not null,                         -- the connection's process; 0: added up
  uses bigint not null,
  primary key (tag_id, day, domain, language, slot)
) with (fillfactor = 80);
create index tag_server_days_unfolded on tag_server_days (day) where slot <> 0;

-- Uses in statuses that everybody may find, and the accounts on their first use of the day. Kept
-- for two weeks.
create table tag_use_days (
  tag_id bigint not null,
  day date not null,
  -- Days since the account's use before, at most 14; 0: it had used the hashtag on this day.
  distance smallint not null,
  slot integer not null,
  uses bigint not null,
  accounts bigint not null,
  primary key (tag_id, day, distance, slot)
) with (fillfactor = 80);
create index tag_use_days_unfolded on tag_use_days (day) where slot <> 0;

-- The uses of each account, by which it is known whether one is the first of the day. Kept for two
-- weeks.
create table tag_account_days (
  tag_id bigint not null,
  account_id bigint not null,
  day date not null,
  uses bigint not null,
  primary key (tag_id, account_id, day)
) with (fillfactor = 80);
create index tag_account_days_by_day on tag_account_days (day);

--! function midnight
--! function first_snowflake
--! function snowflake_day
--! function status_tag_facts
--! function set_status_tag_author
--! function refresh_status_tags
--! function count_tags
--! function count_status_tags
--! function recount_tags

select recount_tags();

create trigger status_tags_counted after insert on status_tags
  referencing new table as added for each statement execute function count_status_tags();
create trigger status_tags_uncounted after delete on status_tags
  referencing old table as removed for each statement execute function count_status_tags();
create trigger status_tags_recounted after update on status_tags
  referencing old table as removed new table as added for each statement execute function count_status_tags();
create trigger statuses_tags_changed after update of deleted_at, language, visibility on statuses
  for each row when (
    (old.deleted_at is null) <> (new.deleted_at is null) or old.language is distinct from new.language
    or old.visibility <> new.visibility
  )
  execute function refresh_status_tags();
create trigger accounts_tags_changed after update of silenced_at, suspended_at, pending, deletion_requested_at on accounts
  for each row when (
    (old.silenced_at is null and old.suspended_at is null and not old.pending and old.deletion_requested_at is null)
    <> (new.silenced_at is null and new.suspended_at is null and not new.pending and new.deletion_requested_at is null)
  )
  execute function refresh_status_tags();
