-- invites: the latest invites that the user of an account created.
-- $1 account bigint
-- rows: at most 20, newest first
-- plan: no sequential scan
select i.id, i.code, i.uses, i.max_uses, i.expires_at, i.created_at
from invites i
join users u on u.id = i.user_id
where u.account_id = $1
order by i.id desc
limit 20
