-- publisher: the publisher with this id, with the moderators' decision.
-- $1 id bigint
-- rows: one, or none when there is no such publisher
-- plan: no sequential scan
select p.id, p.domain, p.trendable, p.reviewed_at, p.requested_review_at
from link_publishers p
where p.id = $1
