-- shown: the collections that the viewer may see, without their items.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one for each visible collection
-- plan: no sequential scan
select
  c.id, c.account_id, a.domain is null as local, c.uri, c.url, c.name, c.description, c.language, t.name as tag, c.sensitive,
  c.discoverable, c.created_at, c.updated_at
from visible_collections($1) c
join accounts a on a.id = c.account_id
left join tags t on t.id = c.tag_id
where c.id = any ((select $2::bigint[])::bigint[])
