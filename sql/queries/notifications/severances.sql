-- severances: what people lost with a domain or an account.
-- $1 ids bigint[]
-- rows: one a severance that is there
-- plan: no sequential scan
select s.id, s.type, s.purged, s.target_name, s.followers_count, s.following_count, s.created_at
from severances s
where s.id = any ($1::bigint[])
