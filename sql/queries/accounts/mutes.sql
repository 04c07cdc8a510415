-- mutes: the accounts that the viewer mutes, newest first. An expired mute is listed without its
-- expiry until a job removes it.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 limit integer
-- rows: at most $4; id is the mute's
-- plan: no sequential scan
select m.id, m.target_account_id as account_id, case when m.expires_at > now() then m.expires_at end as expires_at
from mutes m
join accounts a on a.id = m.target_account_id
where m.account_id = $1
  and m.id < coalesce($2::bigint, 9223372036854775807)
  and m.id > coalesce($3::bigint, 0)
  and a.suspended_at is null and a.deletion_requested_at is null
order by m.id desc
limit $4::integer
