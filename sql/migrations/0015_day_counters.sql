-- Daily figures, kept by triggers in the transaction of each change, for the dashboard and for
-- GET /api/v1/instance/activity. Counting what is there reads statuses, follows and favourites once
-- and blocks writes to them meanwhile.

create type day_counter as enum (
  'statuses',                                    -- received, by domain; later deletions do not count
  'deleted_statuses',                            -- of the remote ones, by domain and day of creation
  'languages',                                   -- of remote originals, by domain
  'accounts',                                    -- remote, by domain
  'follows',                                     -- whose target is remote, by its domain
  'followers',                                   -- by remote accounts, by their domain
  'media_bytes',                                 -- of files and previews, by domain
  'reports',                                     -- opened, by the domain of the reported account
  'resolved_reports',
  'interactions',                                -- of local accounts
  'registrations',                               -- later deletions do not count
  'sign_ups',                                    -- users by application
  'sign_ins',                                    -- users by their latest sign-in and language
  'cohorts',                                     -- users by their sign-up and their latest sign-in
  'active_users'                                 -- by the days since the user was active before
);

-- Each connection adds to rows of its own, so that no two transactions wait for each other; a job
-- adds them up (instance/fold_counters). A figure is the sum over all slots.
create table day_counters (
  counter day_counter not null,
  day date not null,                             -- UTC
  domain text not null,                          -- '': this server
  detail text not null,                          -- application, language, day or distance; else ''
  slot integer not null,                         -- the connection's process; 0: added up
  amount bigint not null,
  primary key (counter, day, domain, detail, slot)
) with (fillfactor = 70);
create index day_counters_by_domain on day_counters (reverse(domain) text_pattern_ops, counter, day) where domain <> '';
create index day_counters_unfolded on day_counters (day) where slot <> 0;

alter table media_attachments
  add column file_bytes bigint not null default 0,
  add column preview_bytes bigint not null default 0;

--! function snowflake_day
--! function count_by_day
--! function count_new_statuses
--! function count_remote_status
--! function user_counters
--! function count_users
--! function count_active_days
--! function count_favourites
--! function count_poll_votes
--! function count_follows_by_day
--! function report_counters
--! function count_reports
--! function count_remote_account
--! function count_media
--! function recount_days

-- A user's days in order, for the distance between them.
drop index active_days_user;
create index active_days_user on active_days (user_id, day);

select recount_days();

-- What was counted before includes what has been deleted since.
insert into day_counters as c (counter, day, domain, detail, slot, amount)
select counted.counter, d.day, '', '', 0, counted.amount
from activity_days d
cross join lateral (
  values ('statuses'::day_counter, d.statuses), ('registrations', d.registrations)
) counted (counter, amount)
where counted.amount > 0
on conflict on constraint day_counters_pkey do update set amount = greatest(c.amount, excluded.amount);
drop table activity_days;

create trigger statuses_counted after insert on statuses
  referencing new table as created for each statement execute function count_new_statuses();
create trigger remote_statuses_changed after update of deleted_at, language on statuses
  for each row when (
    not new.local and (old.deleted_at is distinct from new.deleted_at or old.language is distinct from new.language)
  )
  execute function count_remote_status();
create trigger remote_statuses_removed after delete on statuses
  for each row when (not old.local and old.deleted_at is null) execute function count_remote_status();
create trigger users_counted after insert or delete or update of created_at, current_sign_in_at, locale, created_by_application_id on users
  for each row execute function count_users();
create trigger active_days_counted after insert on active_days
  referencing new table as added for each statement execute function count_active_days();
create trigger favourites_counted after insert on favourites
  referencing new table as created for each statement execute function count_favourites();
create trigger poll_votes_counted after insert on poll_votes
  referencing new table as created for each statement execute function count_poll_votes();
create trigger follows_counted_by_day after insert on follows
  referencing new table as changed for each statement execute function count_follows_by_day();
create trigger follows_uncounted_by_day after delete on follows
  referencing old table as changed for each statement execute function count_follows_by_day();
create trigger reports_counted after insert or delete or update of created_at, action_taken_at, target_account_id on reports
  for each row execute function count_reports();
create trigger remote_accounts_counted after insert on accounts
  for each row when (new.domain is not null) execute function count_remote_account();
create trigger remote_accounts_removed before delete on accounts
  for each row when (old.domain is not null) execute function count_remote_account();
create trigger media_attachments_counted after insert or delete or update of file_bytes, preview_bytes on media_attachments
  for each row execute function count_media();

-- What waits for a review.
create index tags_to_review on tags (requested_review_at) where requested_review_at is not null and reviewed_at is null;
create index link_publishers_to_review on link_publishers (requested_review_at)
where requested_review_at is not null and reviewed_at is null;
create index accounts_to_review on accounts (requested_review_at) where requested_review_at is not null and reviewed_at is null;
