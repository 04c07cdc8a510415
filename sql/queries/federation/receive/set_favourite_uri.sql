-- set_favourite_uri: stores the URI of a favourite by a remote account, by which an Undo names it.
-- $1 account bigint
-- $2 status bigint
-- $3 uri text
-- rows: none
-- plan: no sequential scan
update favourites f set uri = $3
where f.account_id = $1 and f.status_id = $2 and f.uri is distinct from $3
  and not exists (select from favourites o where o.uri = $3)
