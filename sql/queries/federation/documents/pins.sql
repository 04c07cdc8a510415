-- pins: the pinned statuses of an account.
-- $1 account bigint
-- rows: one a status, the last pinned first
-- plan: no sequential scan
select s.id, s.visibility in ('public', 'unlisted') as open
from status_pins p
join statuses s on s.id = p.status_id
where p.account_id = $1 and s.deleted_at is null and s.visibility in ('public', 'unlisted', 'private')
order by p.id desc
