-- credentials: the data of an account that only its owner sees: the texts as written, the defaults
-- for posting, the role.
-- $1 account bigint
-- rows: none or one
-- plan: no sequential scan
select
  a.display_name,
  a.note,
  a.note_html,
  a.fields,
  a.avatar,
  a.avatar_description,
  a.header,
  a.header_description,
  a.locked,
  a.actor_type in ('Application', 'Service') as bot,
  a.hide_collections,
  a.discoverable,
  a.indexable,
  a.show_media,
  a.show_media_replies,
  a.show_featured,
  a.attribution_domains,
  u.locale,
  u.preferences,
  (
    select count(*)::integer
    from (
      select
      from follow_requests f
      join accounts o on o.id = f.account_id
      where f.target_account_id = a.id and o.suspended_at is null and o.deletion_requested_at is null
      limit 40
    ) waiting
  ) as follow_requests_count,
  r.id as role_id,
  r.name as role_name,
  (r.permissions | base.permissions)::integer as role_permissions,
  r.color as role_color,
  r.highlighted as role_highlighted,
  r.collection_limit as role_collection_limit
from accounts a
join users u on u.account_id = a.id
join roles base on base.id = -99
join roles r on r.id = coalesce(u.role_id, -99)
where a.id = $1
