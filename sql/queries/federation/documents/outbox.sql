-- outbox: a page of a local account's statuses and boosts that the reader may see; empty for one
-- whom the account blocks.
-- $1 viewer bigint
-- $2 account bigint
-- $3 max_id bigint
-- $4 min_id bigint
-- rows: at most 20; the newest below max_id, or the oldest above min_id
-- plan: no sequential scan
with blocked as materialized (
  select exists (select from blocks b where b.account_id = $2 and b.target_account_id = $1) as so
)
select page.id
from (
  (
    select s.id from visible_statuses($1) s
    where s.account_id = $2 and not (select blocked.so from blocked) and $4::bigint is null and ($3::bigint is null or s.id < $3)
    order by s.id desc
    limit 20
  )
  union all
  (
    select s.id from visible_statuses($1) s
    where s.account_id = $2 and not (select blocked.so from blocked) and s.id > $4::bigint and ($3::bigint is null or s.id < $3)
    order by s.id
    limit 20
  )
) page
order by page.id desc
