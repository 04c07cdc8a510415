-- confirmed_newcomer: a user that became confirmed and approved, with the account that its invite
-- makes it follow.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan
select u.account_id, inviter.account_id as inviter_id
from users u
left join invites i on i.id = u.invite_id and i.autofollow
left join users inviter on inviter.id = i.user_id
where u.id = $1 and u.confirmed_at is not null and u.approved
