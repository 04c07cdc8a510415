-- set_policy: sets the policy of an account about its old statuses; the next run begins with the
-- oldest one.
-- $1 account bigint
-- $2 enabled boolean
-- $3 min_age_days integer
-- $4 keep_direct boolean
-- $5 keep_pinned boolean
-- $6 keep_polls boolean
-- $7 keep_media boolean
-- $8 keep_own_favourites boolean
-- $9 keep_own_bookmarks boolean
-- $10 min_favourites integer
-- $11 min_reblogs integer
-- rows: one
-- plan: no sequential scan
with saved as (
  insert into automated_deletion_policies (
    account_id, enabled, min_age_days, keep_direct, keep_pinned, keep_polls, keep_media, keep_own_favourites,
    keep_own_bookmarks, min_favourites, min_reblogs
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (account_id) do update
  set enabled = excluded.enabled,
    min_age_days = excluded.min_age_days,
    keep_direct = excluded.keep_direct,
    keep_pinned = excluded.keep_pinned,
    keep_polls = excluded.keep_polls,
    keep_media = excluded.keep_media,
    keep_own_favourites = excluded.keep_own_favourites,
    keep_own_bookmarks = excluded.keep_own_bookmarks,
    min_favourites = excluded.min_favourites,
    min_reblogs = excluded.min_reblogs,
    inspected_status_id = 0,
    next_run_at = now(),
    updated_at = now()
  returning account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', saved.account_id, '{"change": "preferences"}'::jsonb from saved
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
