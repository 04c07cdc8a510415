-- note_use: records a use of a security key.
-- $1 key bigint
-- $2 before bigint
-- $3 sign_count bigint
-- rows: none when it was used with a higher count in the meantime
-- plan: no sequential scan
update security_keys k set sign_count = $3, last_used_at = now()
where k.id = $1 and k.sign_count = $2
returning k.id
