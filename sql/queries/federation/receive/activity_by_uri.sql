-- activity_by_uri: the activities of a remote account with this URI.
-- $1 account bigint
-- $2 uri text
-- rows: one for each; kind: like, follow or block; object: the status or account
-- plan: no sequential scan of favourites
select 'like' as kind, f.status_id as object from favourites f where f.uri = $2 and f.account_id = $1
union all
select 'follow', f.target_account_id from follows f where f.account_id = $1 and f.uri = $2
union all
select 'follow', r.target_account_id from follow_requests r where r.account_id = $1 and r.uri = $2
union all
select 'block', b.target_account_id from blocks b where b.account_id = $1 and b.uri = $2
