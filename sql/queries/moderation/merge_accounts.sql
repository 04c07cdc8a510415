-- merge_accounts: merges a remote account into another one. All servers clear their caches, because
-- the author of each of its statuses changes.
-- $1 source bigint
-- $2 target bigint
-- $3 name text
-- $4 moderator bigint
-- rows: one
-- plan: that of a function, which uses the indexes of the foreign keys
with merged as materialized (
  select merge_accounts($1::bigint, $2::bigint)::text as done
), recorded as materialized (
  select log_action($4::bigint, 'merge', 'Account', $2::bigint, $3) as entry from merged
), logged as (
  insert into events (kind, account_id, data)
  select one.kind, one.account, one.data
  from merged cross join (
    values
      ('account.changed', $1::bigint, '{"change": "deleted"}'::jsonb), ('account.deleted', $1::bigint, '{}'),
      ('account.changed', $2::bigint, '{"change": "counts"}'), ('caches.cleared', null, '{"change": "all"}')
  ) one (kind, account, data)
  returning event_json(events) as event
)
select (select recorded.entry from recorded) as entry, (select jsonb_agg(logged.event) from logged) as events
