-- add_follows: stores follows, each of the account at the same position, as old as the followed
-- account: like most follows older than its newest statuses. A trigger updates the counters.
-- $1 followers bigint[]
-- $2 followed bigint[]
-- rows: none
-- plan: no sequential scan
insert into follows (account_id, target_account_id, created_at)
select given.follower, given.followed, a.created_at
from unnest($1::bigint[], $2::bigint[]) given (follower, followed)
join accounts a on a.id = given.followed
where given.follower <> given.followed
on conflict (account_id, target_account_id) do nothing
