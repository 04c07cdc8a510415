-- rule: the rule that a domain is under: its own or that of the nearest domain above it.
-- $1 domain text
-- rows: at most one
-- plan: no sequential scan of accounts
select r.id, r.domain, r.severity, r.reject_media, r.reject_reports from domain_rule($1) r
