-- publishers_and_authors: the publishers of links and the authors of statuses.
-- $1 links bigint[]
-- $2 statuses bigint[]
-- rows: one a publisher or author
-- plan: no sequential scan of statuses or preview_cards
select publisher.id
from preview_cards p
join link_publishers publisher on publisher.domain = url_host(coalesce(p.page_url, p.url))
where p.id = any ((select $1::bigint[])::bigint[])
union
select s.account_id from statuses s where s.id = any ((select $2::bigint[])::bigint[])
