-- add_accounts: accounts without further data, such as the many followers of an account.
-- $1 amount integer
-- $2 password_hash text
-- rows: one for each account
-- plan: rows are inserted; the greatest id by key
with numbers as materialized (
  select snowflake() as id, coalesce((select max(u.id) from users u), 0) + g.number as number from generate_series(1, $1::integer) g (number)
), created as (
  insert into accounts (id, username, display_name, discoverable, created_at, updated_at)
  select n.id, 'crowd' || n.number, 'One of many', false, to_timestamp((n.id >> 16) / 1000.0), to_timestamp((n.id >> 16) / 1000.0)
  from numbers n
), counted as (
  insert into account_stats (account_id) select n.id from numbers n
), signed_up as (
  insert into users (account_id, email, password_hash, confirmed_at)
  select n.id, 'crowd' || n.number || '@crowd.seed.example', $2, now() from numbers n
  returning users.id, users.account_id
)
select u.id as user_id, u.account_id as id from signed_up u
