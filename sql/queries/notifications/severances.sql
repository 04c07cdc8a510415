-- severances: the relations that accounts lost by the block of a domain or an account.
-- $1 ids bigint[]
-- rows: one for each severance that exists
-- plan: no sequential scan
select s.id, s.type, s.purged, s.target_name, s.followers_count, s.following_count, s.created_at
from severances s
where s.id = any ((select $1::bigint[])::bigint[])
