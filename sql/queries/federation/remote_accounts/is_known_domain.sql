-- is_known_domain: whether an account of a domain is stored.
-- $1 domain text
-- rows: one
-- plan: no sequential scan
select exists (select from accounts a where a.domain = $1) as known
