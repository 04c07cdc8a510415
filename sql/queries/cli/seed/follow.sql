-- follow: stores follows, each of the account at the same position. A trigger updates the counters.
-- $1 followers bigint[]
-- $2 followed bigint[]
-- rows: none
-- plan: rows are inserted, none are read
insert into follows (account_id, target_account_id)
select given.follower, given.followed
from unnest($1::bigint[], $2::bigint[]) given (follower, followed)
where given.follower <> given.followed
on conflict (account_id, target_account_id) do nothing
