-- concerning: the statuses among these that are by an account, boost it or mention it.
-- $1 ids bigint[]
-- $2 account bigint
-- rows: one for each such status
-- plan: no sequential scan
select s.id
from statuses s
left join statuses o on o.id = s.reblog_of_id
where s.id = any ((select $1::bigint[])::bigint[])
  and (
    s.account_id = $2
    or o.account_id = $2
    or exists (
      select from mentions m where m.account_id = $2 and m.status_id in (s.id, s.reblog_of_id) and not m.silent
    )
  )
order by s.id
