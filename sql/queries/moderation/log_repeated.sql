-- log_repeated: records in the audit log that a moderator took an action on an account that was in
-- that state already.
-- $1 moderator bigint
-- $2 account bigint
-- $3 action text
-- rows: one, or none when there is no such account
-- plan: no sequential scan
select log_action(
  $1::bigint, $3::text, case when $3 = 'disable' then 'User' else 'Account' end, case when $3 = 'disable' then u.id else a.id end, handle_of(a)
) as entry
from accounts a
left join users u on u.account_id = a.id
where a.id = $2
