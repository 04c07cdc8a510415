-- actor: a local account with everything that its document contains.
-- $1 account bigint
-- rows: none when there is no such local account, or it is not confirmed or approved; else one
-- plan: no sequential scan
select
  a.id, a.username, a.display_name, a.note, a.note_html, a.fields, a.avatar, a.avatar_description, a.header,
  a.header_description, a.actor_type, a.locked, coalesce(a.discoverable, false) as discoverable, a.indexable, a.memorial,
  a.show_media, a.show_media_replies, a.show_featured, coalesce(a.hide_collections, false) as hide_collections,
  a.attribution_domains, a.created_at,
  case
    when not exists (select from users u where u.account_id = a.id) then 'deleted'
    when a.deletion_requested_at is not null then 'going'
    when a.suspended_at is not null then 'suspended'
    else 'active'
  end as state,
  (select case when m.domain is null then m.id::text else m.uri end from accounts m where m.id = a.moved_to_account_id) as moved_to,
  array(
    select case when o.domain is null then o.id::text else o.uri end
    from account_aliases l
    join accounts o on o.id = l.alias_account_id
    where l.account_id = a.id
    order by l.id
  ) as aliases,
  federated_emojis(concat_ws(' ', a.display_name, a.note, a.fields::text)) as emojis
from accounts a
where a.id = $1 and a.domain is null and not a.pending
