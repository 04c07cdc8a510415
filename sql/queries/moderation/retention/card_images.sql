-- card_images: preview pictures that were fetched before a time, in order.
-- $1 after bigint
-- $2 before timestamptz
-- $3 links_only boolean
-- rows: at most 200; $3: without those of videos and photos
-- plan: preview cards with a picture in the order of their keys, until there are enough
select k.id, k.image_key
from preview_cards k
where k.id > $1 and k.image_key is not null and k.fetched_at < $2 and (not $3::boolean or k.type = 'link')
order by k.id
limit 200
