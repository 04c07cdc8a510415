-- count_to_follow: the number of local accounts that `follow_all` would make follow an account, but
-- for blocks.
-- $1 target bigint
-- rows: one
-- plan: all users once: rare, when the staff lets everybody follow somebody
select count(*)::integer as number
from users u
join accounts a on a.id = u.account_id
where a.id <> $1 and a.suspended_at is null and not a.pending and a.deletion_requested_at is null
  and a.moved_to_account_id is null
  and not exists (select from follows f where f.account_id = a.id and f.target_account_id = $1)
