-- staff: users whose role, or everybody's (-99), has a permission (api/roles.md), and who can sign in. Not those who want
-- no such letters.
-- $1 permission text
-- $2 subject text
-- rows: one a user
-- plan: every user is looked at: a few times a day
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
