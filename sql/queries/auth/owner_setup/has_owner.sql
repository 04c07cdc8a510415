-- has_owner: whether a user has a role with every permission.
-- rows: one
-- plan: sequential scan of roles, which are few; then users by their role
select exists (
  select from users u join roles r on r.id = u.role_id where (r.permissions & permission('administrator')) <> 0
) as found
