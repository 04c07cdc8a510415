-- fragments: the parts of the account entity that do not depend on the viewer.
-- $1 ids bigint[]
-- rows: one for each account that exists, hidden ones too
-- plan: no sequential scan
select
  a.id,
  a.username,
  a.domain,
  a.display_name,
  a.note,
  a.note_html,
  a.fields,
  a.avatar,
  a.avatar_description,
  a.header,
  a.header_description,
  a.actor_type,
  a.locked,
  a.discoverable,
  a.indexable,
  a.hide_collections,
  a.show_media,
  a.show_media_replies,
  a.show_featured,
  a.feature_automatic,
  a.feature_manual,
  a.handle_invalid,
  a.uri,
  a.url,
  a.moved_to_account_id,
  a.pending,
  a.memorial,
  a.suspended_at is not null as suspended,
  a.silenced_at is not null as silenced,
  a.deletion_requested_at is not null as being_deleted,
  a.created_at,
  least(greatest(coalesce(s.followers_count + s.followers_elsewhere, 0), 0), 2147483647)::integer as followers_count,
  least(greatest(coalesce(s.following_count + s.following_elsewhere, 0), 0), 2147483647)::integer as following_count,
  least(greatest(coalesce(s.statuses_count + s.statuses_elsewhere, 0), 0), 2147483647)::integer as statuses_count,
  (s.last_status_at at time zone 'UTC')::date as last_status_at,
  coalesce(extract(epoch from s.last_status_at) * 1000000, 0)::bigint as last_status_us,
  (u.preferences ->> 'noindex')::boolean as noindex,
  case when u.email_subscriptions then offers_email_subscriptions(a.id) else false end as email_subscriptions,
  r.id as role_id,
  r.name as role_name,
  r.color as role_color
from accounts a
left join account_stats s on s.account_id = a.id
left join users u on u.account_id = a.id
left join roles r on r.id = u.role_id and r.highlighted
where a.id = any ((select $1::bigint[])::bigint[])
