-- page: confirmed subscriptions to the posts of an account, newest first.
-- $1 account bigint
-- $2 before bigint
-- $3 limit integer
-- rows: at most $3, of those before $2; from the newest when it is null
-- plan: in the order of an index
select s.id, s.email, s.confirmed_at
from email_subscriptions s
where s.account_id = $1 and s.confirmed_at is not null and ($2::bigint is null or s.id < $2)
order by s.id desc
limit $3::integer
