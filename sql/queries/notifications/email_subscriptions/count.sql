-- count: how many addresses subscribe to the posts of an account.
-- $1 account bigint
-- rows: one
-- plan: the rows of one account by index
select
  count(*) filter (where s.confirmed_at is not null)::integer as confirmed,
  count(*) filter (where s.confirmed_at is null)::integer as waiting
from email_subscriptions s
where s.account_id = $1
