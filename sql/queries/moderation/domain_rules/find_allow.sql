-- find_allow: a domain that limited federation mode allows, by its id or else by its name.
-- $1 id bigint
-- $2 domain text
-- rows: one, or none when there is no such domain
-- plan: no sequential scan of accounts
select b.id, b.domain, b.created_at from domain_allows b where b.id = $1::bigint or ($1 is null and b.domain = $2)
