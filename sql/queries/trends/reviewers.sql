-- reviewers: users who may decide what trends: their role, or everybody's (-99), has manage_taxonomies (256) or is an administrator's (1). Not those
-- who want no such letters.
-- rows: one a user who can sign in
select u.id
from users u
join accounts a on a.id = u.account_id
join roles base on base.id = -99
left join roles r on r.id = u.role_id
where ((coalesce(r.permissions, 0) | base.permissions) & (256 | 1)) <> 0
  and u.confirmed_at is not null and u.approved and not u.disabled
  and coalesce((u.preferences -> 'notification_emails' ->> 'trends')::boolean, true)
  and a.suspended_at is null and a.deletion_requested_at is null
