-- page: the invites of everybody, for moderators.
-- $1 usable boolean
-- $2 before bigint
-- $3 limit integer
-- rows: at most $3 of those that can still be used, or that cannot; newest first
-- plan: in the order of the key
select i.id, i.code, i.max_uses, i.uses, i.expires_at, i.comment, a.username, a.id as account_id, i.created_at,
  ((i.expires_at is null or i.expires_at > now()) and (i.max_uses is null or i.uses < i.max_uses)) as usable
from invites i
join users u on u.id = i.user_id
join accounts a on a.id = u.account_id
where ($1::boolean is null
    or ((i.expires_at is null or i.expires_at > now()) and (i.max_uses is null or i.uses < i.max_uses)) = $1)
  and ($2::bigint is null or i.id < $2)
order by i.id desc
limit $3::integer
