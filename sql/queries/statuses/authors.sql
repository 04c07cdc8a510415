-- authors: what rendering a status needs to know of its author beside the account itself.
-- $1 ids bigint[]
-- rows: one an account that exists
-- plan: no sequential scan
select
  a.id,
  a.sensitized_at is not null as sensitized,
  coalesce((u.preferences ->> 'show_application')::boolean, u.id is not null) as shows_application
from accounts a
left join users u on u.account_id = a.id
where a.id = any ((select $1::bigint[])::bigint[])
