-- list: every domain rule.
-- rows: one a rule, by domain
-- plan: all of a small table
select b.id, b.domain, b.severity, b.reject_media, b.reject_reports, b.obfuscate, b.public_comment, b.private_comment
from domain_blocks b
order by b.domain
