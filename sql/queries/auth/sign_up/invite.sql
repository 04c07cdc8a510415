-- invite: an invite by its code: its creator, and whether it is valid (not expired, has uses left,
-- the creator may act).
-- $1 code text
-- rows: none or one
-- plan: an invite by its code, then one row by key each
select a.username,
  (i.expires_at is null or i.expires_at > now()) and (i.max_uses is null or i.uses < i.max_uses)
    and u.confirmed_at is not null and u.approved and not u.disabled and a.suspended_at is null and a.deletion_requested_at is null
    and not a.memorial and a.moved_to_account_id is null as valid
from invites i
join users u on u.id = i.user_id
join accounts a on a.id = u.account_id
where i.code = $1
