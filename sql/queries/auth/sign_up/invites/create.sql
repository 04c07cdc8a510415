-- create: stores an invite of a user.
-- $1 user bigint
-- $2 code text
-- $3 max_uses integer
-- $4 lifetime_seconds integer
-- $5 autofollow boolean
-- $6 comment text
-- rows: one
-- plan: rows are inserted, none are read
insert into invites (user_id, code, max_uses, expires_at, autofollow, comment)
values ($1, $2, $3::integer, now() + $4::integer * interval '1 second', $5, $6::text)
returning invites.id
