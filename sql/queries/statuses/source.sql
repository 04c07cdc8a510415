-- source: the source text of a status that the viewer may see; for a remote one its HTML.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none or one
-- plan: no sequential scan
select s.id, case when s.local then s.text else s.content end as text, s.spoiler_text
from visible_statuses($1) s
where s.id = $2
