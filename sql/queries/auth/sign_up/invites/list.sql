-- list: the invites of a user.
-- $1 user bigint
-- $2 before bigint
-- $3 limit integer
-- rows: at most $3 with smaller ids than $2, newest first
-- plan: no sequential scan
select i.id, i.code, i.max_uses, i.uses, i.expires_at, i.comment, a.username,
  (i.expires_at is null or i.expires_at > now()) and (i.max_uses is null or i.uses < i.max_uses) as usable
from invites i
join users u on u.id = i.user_id
join accounts a on a.id = u.account_id
where i.user_id = $1 and i.id < coalesce($2::bigint, 9223372036854775807)
order by i.id desc
limit $3::integer
