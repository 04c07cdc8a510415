-- severed_follows: who an account followed, or who followed it, before a block or a suspension, as
-- rows of a CSV file.
-- $1 account bigint
-- $2 severance bigint
-- $3 following boolean
-- $4 after bigint
-- rows: at most 1000
-- plan: no sequential scan
select
  f.id,
  case
    when f.following
      then array[f.handle, f.show_reblogs::text, f.notify::text, coalesce(array_to_string(f.languages, ', '), '')]
    else array[f.handle]
  end as cells
from severances s
join severed_follows f on f.severance_id = s.id
where s.id = $2 and s.account_id = $1 and f.following = $3::boolean and f.id > $4
order by f.id
limit 1000
