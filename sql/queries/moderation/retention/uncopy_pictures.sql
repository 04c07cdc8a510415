-- uncopy_pictures: shows the pictures of some accounts of other servers from those servers instead
-- of their copies.
-- $1 ids bigint[]
-- $2 headers_only boolean
-- $3 dry_run boolean
-- rows: one; files: keys of the copies, which are no longer shown; kinds: of which pictures there
--   can be copies; $3: changes nothing
-- plan: no sequential scan
with known as materialized (
  select
    a.id, a.avatar, a.header,
    a.avatar is not null and a.avatar_remote_url is not null as has_avatar,
    a.header is not null and a.header_remote_url is not null as has_header,
    not $2 and a.avatar is not null and a.avatar ->> 'key' <> a.avatar_remote_url as drops_avatar,
    a.header is not null and a.header ->> 'key' <> a.header_remote_url as drops_header
  from accounts a
  where a.id = any ((select $1::bigint[])::bigint[])
  for no key update
), updated as (
  update accounts a set
    avatar = case
      when known.drops_avatar then jsonb_build_object('key', a.avatar_remote_url, 'static_key', a.avatar_remote_url, 'type', '')
      else a.avatar
    end,
    header = case
      when known.drops_header then jsonb_build_object('key', a.header_remote_url, 'static_key', a.header_remote_url, 'type', '')
      else a.header
    end
  from known
  where a.id = known.id and not $3 and (known.drops_avatar or known.drops_header)
  returning a.id
), logged as (
  insert into events (kind, account_id, data) select 'account.changed', updated.id, '{"change": "profile"}' from updated
  returning event_json(events) as event
)
select
  array(
    select distinct files.key
    from known
    cross join lateral (
      values
        (known.drops_avatar, known.avatar ->> 'key'), (known.drops_avatar, known.avatar ->> 'static_key'),
        (known.drops_header, known.header ->> 'key'), (known.drops_header, known.header ->> 'static_key')
    ) files (dropped, key)
    where files.dropped and files.key is not null
  ) as files,
  array(
    select distinct kinds.kind
    from known
    cross join lateral (values (known.has_avatar, 'avatar'), (known.has_header, 'header')) kinds (present, kind)
    where kinds.present
  ) as kinds,
  (select jsonb_agg(logged.event) from logged) as events
