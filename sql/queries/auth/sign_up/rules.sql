-- rules: the rules of this server, in their order.
-- rows: one for each
-- plan: all of a small table
select r.text, r.hint, r.translations
from rules r
where r.deleted_at is null
order by r.position, r.id
