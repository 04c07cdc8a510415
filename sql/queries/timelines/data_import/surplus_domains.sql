-- surplus_domains: the domains that the account had blocked when the import was stored, although
-- the file does not name them.
-- $1 account bigint
-- $2 import bigint
-- rows: one a domain
-- plan: no sequential scan but of the rows of the import
select x.domain
from account_domain_blocks x
where x.account_id = $1
  and x.created_at < (select i.created_at from imports i where i.id = $2)
  and x.domain not in (
    select r.target_domain from import_rows r where r.import_id = $2 and r.position >= 0 and r.target_domain is not null
  )
