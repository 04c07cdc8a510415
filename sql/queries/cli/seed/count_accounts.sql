-- count_accounts: stores the counters of accounts: statuses, follows, followers.
-- last_status_at: the empty text means never.
-- $1 accounts bigint[]
-- $2 statuses bigint[]
-- $3 following bigint[]
-- $4 followers bigint[]
-- $5 last_status_at text[] last_status_at: the empty text for never
-- rows: none
-- plan: rows are inserted, none are read
insert into account_stats (account_id, statuses_count, following_count, followers_count, last_status_at)
select given.account, given.statuses, given.following, given.followers, nullif(given.last_status_at, '')::timestamptz
from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
  given (account, statuses, following, followers, last_status_at)
on conflict (account_id) do update
set statuses_count = excluded.statuses_count, following_count = excluded.following_count,
  followers_count = excluded.followers_count, last_status_at = excluded.last_status_at
