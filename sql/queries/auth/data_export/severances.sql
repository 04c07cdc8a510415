-- severances: the latest blocks and suspensions by which an account lost follows.
-- $1 account bigint
-- $2 limit integer
-- rows: at most $2, newest first
-- plan: no sequential scan
select s.id, s.type, s.target_name, s.followers_count, s.following_count, s.created_at
from severances s
where s.account_id = $1
order by s.id desc
limit (select $2::integer)
