-- inviter: the user on whose behalf the staff makes an invite.
-- $1 username text
-- rows: one; none when there is no such user, or the account is suspended
-- plan: no sequential scan
select u.id, a.id as account_id
from accounts a
join users u on u.account_id = a.id
where lower(a.username) = lower($1) and lower(coalesce(a.domain, '')) = '' and a.suspended_at is null and a.deletion_requested_at is null
