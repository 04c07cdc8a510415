-- remove_pictures: drops the cached avatars and headers of these accounts.
-- $1 ids bigint[]
-- rows: one; files: the files to remove
-- plan: no sequential scan
with old as materialized (
  select a.id, a.avatar, a.header from accounts a
  where a.id = any ((select $1::bigint[])::bigint[]) and (a.avatar is not null or a.header is not null)
), bared as (
  update accounts a set avatar = null, header = null, updated_at = now() from old where a.id = old.id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', old.id, '{"change": "profile"}' from old
  returning event_json(events) as event
)
select
  array(
    select files.key
    from (
      select unnest(array[old.avatar ->> 'key', old.avatar ->> 'static_key', old.header ->> 'key', old.header ->> 'static_key']) as key
      from old
    ) files
    where files.key is not null
  ) as files,
  (select jsonb_agg(logged.event) from logged) as events
