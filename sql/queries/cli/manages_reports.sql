-- manages_reports: whether the role of a user manages reports.
-- $1 user bigint
-- rows: one, or none
-- plan: no sequential scan of users
select has_permission(account_permissions(u.account_id), 'manage_reports') as may from users u where u.id = $1
