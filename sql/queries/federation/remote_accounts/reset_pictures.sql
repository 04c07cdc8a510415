-- reset_pictures: shows the original pictures of a remote account until new copies are stored.
-- $1 account bigint
-- rows: none or one; copies: which pictures have to be copied; unused: keys of files that are no
--   longer shown
-- plan: no sequential scan
with known as materialized (
  select
    a.id, a.avatar, a.header,
    a.avatar is not null and a.avatar_remote_url is not null as has_avatar,
    a.header is not null and a.header_remote_url is not null as has_header,
    a.avatar ->> 'key' <> a.avatar_remote_url as is_avatar_copied,
    a.header ->> 'key' <> a.header_remote_url as is_header_copied
  from accounts a
  where a.id = $1 and a.domain is not null and a.suspended_at is null and a.deletion_requested_at is null
  for no key update
), updated as (
  update accounts a set
    avatar = case
      when known.has_avatar then jsonb_build_object('key', a.avatar_remote_url, 'static_key', a.avatar_remote_url, 'type', '')
      else a.avatar
    end,
    header = case
      when known.has_header then jsonb_build_object('key', a.header_remote_url, 'static_key', a.header_remote_url, 'type', '')
      else a.header
    end
  from known
  where a.id = known.id
), logged as (
  insert into events (kind, account_id, data) select 'account.changed', known.id, '{"change": "profile"}' from known
  returning event_json(events) as event
)
select
  array_remove(array[case when known.has_avatar then 'avatar' end, case when known.has_header then 'header' end], null) as copies,
  array_remove(array[
    case when known.is_avatar_copied then known.avatar ->> 'key' end, case when known.is_avatar_copied then known.avatar ->> 'static_key' end,
    case when known.is_header_copied then known.header ->> 'key' end, case when known.is_header_copied then known.header ->> 'static_key' end
  ], null) as unused,
  (select jsonb_agg(logged.event) from logged) as events
from known
