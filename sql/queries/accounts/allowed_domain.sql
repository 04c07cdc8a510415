-- allowed_domain: whether a domain is on the list of those that a closed federation is made of.
-- $1 domain text
-- rows: none or one
-- plan: no sequential scan, at most 4 buffers
select d.domain from domain_allows d where d.domain = $1
