-- expire: expires an invite of a user.
-- $1 invite bigint
-- $2 user bigint
-- rows: one when the invite is the user's
-- plan: no sequential scan
update invites i set expires_at = least(coalesce(i.expires_at, now()), now())
where i.id = $1 and i.user_id = $2
returning i.id
