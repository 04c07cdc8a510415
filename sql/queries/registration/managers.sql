-- managers: those who may change the settings (permission manage_settings, or administrator).
-- rows: one for each
select u.id
from users u
join roles r on r.id = u.role_id and (r.permissions & (64 | 1)) <> 0
where u.confirmed_at is not null and u.approved and not u.disabled
order by u.id
