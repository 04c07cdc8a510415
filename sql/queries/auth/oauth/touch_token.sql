-- touch_token: records the use of a token and the activity of its user, at most once a day for each
-- token, which keeps the writes few.
-- $1 token bigint
-- $2 ip inet
-- rows: none
-- plan: one row of two tables by key
with used as (
  update oauth_tokens set last_used_at = now(), last_used_ip = $2 where oauth_tokens.id = $1
  returning oauth_tokens.user_id
), existing as (
  insert into active_days (day, user_id)
  select (now() at time zone 'UTC')::date, used.user_id from used where used.user_id is not null
  on conflict do nothing
)
update users set last_active_at = now() from used where users.id = used.user_id
