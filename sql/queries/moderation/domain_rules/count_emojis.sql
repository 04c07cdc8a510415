-- count_emojis: how many custom emojis a domain has and, if wanted, all below it.
-- $1 domain text
-- $2 below boolean
-- rows: one
-- plan: all custom emojis of other servers: an operator asks
select count(*)::integer as number
from custom_emojis e
where e.domain is not null and (e.domain = $1 or ($2::boolean and e.domain like '%.' || $1))
