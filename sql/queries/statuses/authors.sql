-- authors: the data of authors that statuses need besides the account entity. hidden: nobody sees
-- their statuses (visible_statuses_ever).
-- $1 ids bigint[]
-- rows: one for each account that exists
-- plan: no sequential scan
select
  a.id,
  a.sensitized_at is not null as sensitized,
  a.silenced_at is not null as silenced,
  a.suspended_at is not null or a.pending or a.deletion_requested_at is not null as hidden,
  coalesce((u.preferences ->> 'show_application')::boolean, u.id is not null) as shows_application
from accounts a
left join users u on u.account_id = a.id
where a.id = any ((select $1::bigint[])::bigint[])
