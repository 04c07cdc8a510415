-- allowed_domain: whether limited federation mode allows a domain.
-- $1 domain text
-- rows: none or one
-- plan: no sequential scan, at most 4 buffers
select d.domain from domain_allows d where d.domain = $1
