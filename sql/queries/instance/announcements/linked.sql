-- linked: the statuses among these that anybody may see.
-- $1 ids bigint[]
-- rows: one a status that is public or unlisted
-- plan: no sequential scan
select s.id from visible_statuses(null) s where s.id = any ((select $1::bigint[])::bigint[]) and s.visibility in ('public', 'unlisted')
