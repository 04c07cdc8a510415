-- remove_unused: removes from a batch of previews that were fetched before a time those that no
-- status shows, that do not trend, and that no moderator has decided on. A preview that is fetched
-- again meanwhile stays.
-- $1 after bigint
-- $2 before timestamptz
-- $3 limit integer
-- rows: one; last: the last preview read, null after all of them; keys: the pictures of the removed
--   ones
-- plan: no sequential scan
with part as materialized (
  select p.id
  from preview_cards p
  where p.id > $1 and p.fetched_at < $2
  order by p.id
  limit $3::integer
), removed as (
  delete from preview_cards p
  using part
  where p.id = part.id
    and p.fetched_at < $2
    and p.trendable is null
    and not exists (select from preview_cards_statuses s where s.preview_card_id = p.id)
    and not exists (select from link_trends t where t.preview_card_id = p.id)
  returning p.image_key
)
select
  (select max(part.id) from part) as last,
  array(select removed.image_key from removed where removed.image_key is not null) as keys
