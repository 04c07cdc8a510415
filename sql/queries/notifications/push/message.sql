-- message: the message to one subscription about one notification, and its endpoint. Read when it
-- is sent: nothing is sent when the subject has been removed, withdrawn or hidden, when the
-- subscription no longer wants it, or when it is older than 48 hours.
-- $1 subscription bigint
-- $2 notification bigint
-- rows: none when nothing is to be sent, else one; content is null when it is about no status
-- plan: no sequential scan
select
  p.token_id, p.sealed_token, p.endpoint, p.key_p256dh, p.key_auth, p.standard, u.locale,
  n.id, n.type, a.username, a.display_name, a.note_html, a.avatar ->> 'static_key' as avatar_key, s.spoiler_text, s.content
from push_subscriptions p
join oauth_tokens k on k.id = p.token_id and k.revoked_at is null
join users u on u.id = p.user_id and not u.disabled
cross join lateral (
  select shown.id, shown.type, shown.from_account_id, shown.status_id
  from shown_notifications(u.account_id) shown
  where shown.id = $2 and not shown.filtered and shown.created_at > now() - interval '48 hours'
) n
join accounts a on a.id = n.from_account_id
left join statuses s on s.id = n.status_id
where p.id = $1 and wants_push(p, u.account_id, n.from_account_id, n.type)
