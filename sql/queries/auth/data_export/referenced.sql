-- referenced: the URIs of statuses that exported statuses answer, boost or quote.
-- $1 ids bigint[]
-- rows: one a status
-- plan: no sequential scan
select s.id, s.account_id, a.username, a.domain, s.uri, s.url, s.reblog_of_id
from statuses s
join accounts a on a.id = s.account_id
where s.id = any ((select $1::bigint[])::bigint[])
