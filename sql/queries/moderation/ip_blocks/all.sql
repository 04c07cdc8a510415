-- all: the rules about networks that have not expired.
-- rows: one for each
-- plan: all of a small table
select b.ip::text as ip, b.severity, b.expires_at
from ip_blocks b
where b.expires_at is null or b.expires_at > now()
