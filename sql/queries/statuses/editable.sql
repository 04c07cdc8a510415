-- editable: a status that its author may edit. quoted: the data for the address of the quoted
-- status, unless that is deleted for good.
-- $1 author bigint
-- $2 status bigint
-- rows: none or one
-- plan: no sequential scan
select
  s.id,
  s.visibility,
  exists (select from quotes q where q.status_id = s.id) as has_quote,
  (
    select jsonb_build_object(
      'id', o.id::text, 'account_id', o.account_id::text, 'username', a.username, 'domain', a.domain, 'uri', o.uri, 'url', o.url,
      'reblog_of_id', null
    )
    from quotes q
    join statuses o on o.id = q.quoted_status_id
    join accounts a on a.id = o.account_id
    where q.status_id = s.id
  ) as quoted
from statuses s
where s.id = $2 and s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
