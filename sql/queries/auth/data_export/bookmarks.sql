-- bookmarks: the bookmarked statuses that an account may still see.
-- $1 account bigint
-- $2 after bigint
-- rows: at most 1000; id: of the bookmark
-- plan: no sequential scan
select k.id as saved, s.id, s.account_id, a.username, a.domain, s.uri, s.url, s.reblog_of_id
from bookmarks k
join visible_statuses($1) s on s.id = k.status_id
join accounts a on a.id = s.account_id
where k.account_id = $1 and k.id > $2
order by k.id
limit 1000
