-- name_item: records the URI that an item of a remote collection has at its curator. The item is of
-- a local account that agreed.
-- $1 collection bigint
-- $2 item bigint
-- $3 account bigint
-- $4 uri text
-- rows: none when there is no such item
-- plan: no sequential scan
update collection_items i set uri = $4
where i.id = $2 and i.collection_id = $1 and i.account_id = $3 and i.state in ('pending', 'accepted')
returning i.id
