-- note_use: records a use of a security key. Many keys do not count: that an answer counts once
-- follows from the time of its challenge, also where the clock of the server is ahead.
-- $1 key bigint
-- $2 before bigint
-- $3 sign_count bigint
-- $4 challenged timestamptz
-- rows: none when it was used with a higher count in the meantime, or since the challenge was made
-- plan: no sequential scan
update security_keys k set sign_count = $3, last_used_at = greatest(now(), $4::timestamptz)
where k.id = $1 and k.sign_count = $2 and (k.last_used_at is null or k.last_used_at < $4)
returning k.id
