-- featured_collections: collections of accounts that a local account curates: the one with an id,
-- or a page of the discoverable ones.
-- $1 viewer bigint
-- $2 account bigint
-- $3 collection bigint
-- $4 offset integer
-- rows: at most 5, newest first; total: how many are listed
-- plan: no sequential scan
select
  c.id, c.name, c.description, c.language, t.name as tag, t.display_name as tag_name, c.sensitive, c.discoverable, c.created_at,
  c.updated_at,
  (
    select jsonb_agg(
      jsonb_build_object(
        'id', i.id::text, 'account_id', i.account_id::text, 'uri', a.uri, 'local', a.domain is null, 'type', a.actor_type,
        'approval_uri', i.approval_uri, 'created_at', i.created_at
      )
      order by i.id
    )
    from shown_collection_items($1) i
    join accounts a on a.id = i.account_id
    where i.collection_id = c.id and i.state = 'accepted'
  ) as items,
  (count(*) over ())::integer as total
from visible_collections($1) c
left join tags t on t.id = c.tag_id
where c.account_id = $2 and case when $3::bigint is null then c.discoverable else c.id = $3 end
order by c.id desc
limit 5 offset $4::integer
