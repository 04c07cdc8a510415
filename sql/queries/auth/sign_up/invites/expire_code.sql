-- expire_code: expires the invite with this code, whoever created it.
-- $1 code text
-- rows: one when there is one
-- plan: no sequential scan
update invites i set expires_at = least(coalesce(i.expires_at, now()), now()) where i.code = $1 returning i.id
