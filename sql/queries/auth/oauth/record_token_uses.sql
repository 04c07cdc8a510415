-- record_token_uses: records that tokens were used, and the activity of their users. Locks the rows
-- in the order of their ids, so that two processes do not wait for each other.
-- $1 tokens bigint[]
-- $2 ips inet[]
-- rows: none
-- plan: rows of three tables by key
with used as materialized (
  select t.id, t.user_id, input.ip
  from unnest((select $1::bigint[]), (select $2::inet[])) input (token, ip)
  join oauth_tokens t on t.id = input.token
  order by t.id
  for no key update of t
), recorded as (
  update oauth_tokens t set last_used_at = now(), last_used_ip = used.ip from used where t.id = used.id
), active as materialized (
  select u.id from users u where u.id in (select used.user_id from used) order by u.id for no key update
), existing as (
  insert into active_days (day, user_id) select (now() at time zone 'UTC')::date, active.id from active
  on conflict do nothing
)
update users set last_active_at = now() from active where users.id = active.id
