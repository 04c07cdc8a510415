-- unattended: whether nobody who handles reports (permission manage_reports, or administrator) was
-- active for a week and a day. A server whose users all joined later than that is not unattended
-- but new.
-- rows: one
-- plan: a sequential scan of users, by a job
select
  exists (select from users u where u.created_at < now() - interval '8 days')
  and not exists (
    select
    from users u
    join roles r on r.id = u.role_id and has_permission(r.permissions, 'manage_reports')
    where greatest(u.current_sign_in_at, u.last_active_at) > now() - interval '8 days'
  ) as unattended
