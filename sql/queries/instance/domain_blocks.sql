-- domain_blocks: the published domain rules, the milder first.
-- rows: one a domain
-- plan: all of a small table
select b.domain, b.severity, b.public_comment, b.obfuscate
from domain_blocks b
where b.severity in ('silence', 'suspend')
order by b.severity, b.domain
