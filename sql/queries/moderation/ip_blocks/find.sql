-- find: a rule about a network.
-- $1 id bigint
-- rows: one, or none when there is no such rule
-- plan: no sequential scan
select b.id, b.ip::text as ip, b.severity, b.comment, b.created_at, b.expires_at from ip_blocks b where b.id = $1
