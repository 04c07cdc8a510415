-- recipients: the next subscribers who get a post by e-mail: those who were confirmed before it.
-- $1 status bigint
-- $2 after bigint
-- $3 limit integer
-- rows: at most $3; none when the post was deleted or the account no longer offers subscriptions
-- plan: in the order of the index of an account's subscribers
with post as materialized (
  select s.account_id, s.created_at from statuses s
  where s.id = $1 and s.deleted_at is null and s.visibility = 'public' and offers_email_subscriptions(s.account_id)
)
select e.id
from post
cross join lateral (
  select s.id from email_subscriptions s
  where s.account_id = post.account_id and s.confirmed_at is not null and s.id > coalesce($2::bigint, 0)
    and s.confirmed_at < post.created_at
  order by s.account_id, s.id
  limit (select $3::integer)
) e
order by e.id
