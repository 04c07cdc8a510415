-- link_above: the oldest public statuses above an id that share a link, replies included, of
-- discoverable authors.
-- $1 viewer bigint
-- $2 card bigint
-- $3 local boolean
-- $4 remote boolean
-- $5 languages text[]
-- $6 max_id bigint
-- $7 min_id bigint
-- $8 limit integer
-- rows: ids, oldest first
-- plan: no sequential scan, at most 1000 buffers
select s.id
from preview_cards_statuses x
join listed_statuses($1) s on s.id = x.status_id
join accounts author on author.id = s.account_id and author.discoverable
where x.preview_card_id = $2
  and x.status_id < $6 and x.status_id > $7
  and (($3 and s.local) or ($4 and not s.local))
  and ($5::text[] is null or s.language = any ((select $5::text[])::text[]))
order by x.status_id
limit $8::integer
