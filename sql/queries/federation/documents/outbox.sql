-- outbox: a page of a local account's statuses and boosts that the reader may see.
-- $1 viewer bigint
-- $2 account bigint
-- $3 max_id bigint
-- $4 min_id bigint
-- rows: at most 20; the newest below max_id, or the oldest above min_id
-- plan: no sequential scan
select page.id
from (
  (
    select s.id from visible_statuses($1) s
    where s.account_id = $2 and $4::bigint is null and ($3::bigint is null or s.id < $3)
    order by s.id desc
    limit 20
  )
  union all
  (
    select s.id from visible_statuses($1) s
    where s.account_id = $2 and s.id > $4::bigint and ($3::bigint is null or s.id < $3)
    order by s.id
    limit 20
  )
) page
order by page.id desc
