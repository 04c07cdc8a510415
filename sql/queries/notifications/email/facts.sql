-- facts: the contents and the recipient of the e-mail about a notification. Read when it is sent:
-- nothing is sent about subjects that have been removed, withdrawn or hidden, or to recipients who
-- have disabled such e-mails, subscribed to push messages or read the notification meanwhile, which
-- may be a day and a half ago when the mail server was away.
-- $1 notification bigint
-- rows: none when nothing is to be sent, else one; the columns of the status are null when there is
--   none
-- plan: no sequential scan
select
  u.id as user_id, u.email, u.locale, owner.username, n.type, a.username as from_username, a.domain as from_domain, a.display_name, s.id as status_id,
  s.spoiler_text, s.content
from notifications made
join users u on u.account_id = made.account_id and u.confirmed_at is not null and u.approved and not u.disabled
join accounts owner on owner.id = u.account_id and owner.suspended_at is null
cross join lateral (
  select shown.type, shown.from_account_id, shown.status_id
  from shown_notifications(u.account_id) shown
  where shown.id = $1 and not shown.filtered and shown.created_at > now() - interval '48 hours'
) n
join accounts a on a.id = n.from_account_id
left join statuses s on s.id = n.status_id
where made.id = $1 and n.type = any (u.mail_types)
  and (
    u.mail_always
    or not exists (select from push_subscriptions p where p.user_id = u.id)
      and not exists (
        select from markers m where m.account_id = u.account_id and m.timeline = 'notifications' and m.last_read_id >= made.id
      )
  )
