-- follow_id: the id of a follow or a follow request.
-- $1 follower bigint
-- $2 target bigint
-- rows: none or one
-- plan: no sequential scan
select f.id from follows f where f.account_id = $1 and f.target_account_id = $2
union all
select r.id from follow_requests r where r.account_id = $1 and r.target_account_id = $2
limit 1
