-- arrivals: when statuses came into the home feed of the viewer, for those whose author or hashtag
-- was followed after they were posted.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one for each such status; arrived: an id of that time
-- plan: no sequential scan
select s.id, first_snowflake(since.at) as arrived
from statuses s
left join follows f on f.account_id = $1 and f.target_account_id = s.account_id
cross join lateral (
  select coalesce(f.created_at, (
    select min(t.created_at)
    from status_tags x
    join tag_follows t on t.account_id = $1 and t.tag_id = x.tag_id
    where x.status_id = s.id and s.account_id <> $1
  )) as at
) since
where s.id = any ((select $2::bigint[])::bigint[]) and first_snowflake(since.at) > s.id
