-- authors: the data of authors that rendering a status needs besides the account entity.
-- $1 ids bigint[]
-- rows: one for each account that exists
-- plan: no sequential scan
select
  a.id,
  a.sensitized_at is not null as sensitized,
  coalesce((u.preferences ->> 'show_application')::boolean, u.id is not null) as shows_application
from accounts a
left join users u on u.account_id = a.id
where a.id = any ((select $1::bigint[])::bigint[])
