-- start: signs a browser in, and deletes the user's oldest sessions beyond $5.
-- $1 session_hash bytea
-- $2 user bigint
-- $3 user_agent text
-- $4 ip inet
-- $5 limit integer
-- rows: one
-- plan: the sessions of one user by index
with deleted as (
  delete from sessions where sessions.id in (
    select s.id from sessions s where s.user_id = $2 order by s.updated_at desc, s.id desc offset $5::integer - 1
  )
), visible as (
  update users set current_sign_in_at = now(), last_active_at = now() where users.id = $2
), existing as (
  insert into active_days (day, user_id) values ((now() at time zone 'UTC')::date, $2) on conflict do nothing
)
insert into sessions (session_hash, user_id, user_agent, ip) values ($1, $2, $3, $4)
returning sessions.id
