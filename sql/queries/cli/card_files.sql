-- card_files: the pictures of link previews with an id above the given one, in order.
-- $1 after bigint
-- rows: at most 1000
-- plan: no sequential scan; previews in the order of their keys
select k.id, k.image_key
from preview_cards k
where k.id > $1 and k.image_key is not null
order by k.id
limit 1000
