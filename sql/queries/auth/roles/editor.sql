-- editor: the role of a user who edits roles, with the permissions of it and the base role.
-- $1 account bigint
-- rows: none when the account has no user, else one
-- plan: no sequential scan of users
select r.id, r.position, (r.permissions | base.permissions) as permissions
from users u
join roles base on base.id = -99
join roles r on r.id = coalesce(u.role_id, -99)
where u.account_id = $1
