-- count_emojis: the number of custom emojis of a domain and, optionally, of its subdomains.
-- $1 domain text
-- $2 below boolean
-- rows: one
-- plan: all custom emojis of other servers: an operator's command
select count(*)::integer as number
from custom_emojis e
where e.domain is not null and (e.domain = $1 or ($2::boolean and $1 = any (domains_above(e.domain))))
