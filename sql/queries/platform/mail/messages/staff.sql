-- staff: users who can sign in and whose role, or the base role (-99), has a permission, except
-- those who have disabled such e-mails.
-- $1 permission text
-- $2 subject text
-- rows: one a user
-- plan: reads every user, a few times a day
select u.id
from users u
join accounts a on a.id = u.account_id
join roles base on base.id = -99
left join roles r on r.id = u.role_id
where has_permission(coalesce(r.permissions, 0) | base.permissions, $1)
  and u.confirmed_at is not null and u.approved and not u.disabled
  and coalesce((u.preferences -> 'notification_emails' ->> $2::text)::boolean, true)
  and a.suspended_at is null and a.deletion_requested_at is null
order by u.id
