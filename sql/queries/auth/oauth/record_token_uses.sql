-- record_token_uses: records that tokens were used, and the activity of their users. Locks the
-- users first, as what revokes their tokens does, then the tokens, each in the order of their ids,
-- so that two transactions do not wait for each other.
-- $1 tokens bigint[]
-- $2 ips inet[]
-- rows: none
-- plan: rows of three tables by key
with active as materialized (
  select u.id from users u
  where u.id in (select t.user_id from oauth_tokens t where t.id in (select unnest((select $1::bigint[]))))
  order by u.id
  for no key update
), used as materialized (
  select t.id, input.ip
  from unnest((select $1::bigint[]), (select $2::inet[])) input (token, ip)
  join oauth_tokens t on t.id = input.token
  where (select count(*) from active) >= 0
  order by t.id
  for no key update of t
), recorded as (
  update oauth_tokens t set last_used_at = now(), last_used_ip = used.ip from used where t.id = used.id
), existing as (
  insert into active_days (day, user_id) select (now() at time zone 'UTC')::date, active.id from active
  on conflict do nothing
)
update users set last_active_at = now() from active where users.id = active.id
