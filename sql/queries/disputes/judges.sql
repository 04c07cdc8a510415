-- judges: those who decide about appeals (permission manage_appeals, or administrator).
-- rows: one for each
select u.id
from users u
join roles r on r.id = u.role_id and (r.permissions & (512 | 1)) <> 0
where u.confirmed_at is not null and u.approved and not u.disabled
order by u.id
