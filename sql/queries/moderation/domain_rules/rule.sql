-- rule: the rule that applies to a domain: its own or that of the nearest parent domain.
-- $1 domain text
-- rows: at most one
-- plan: no sequential scan of accounts
select r.id, r.domain, r.severity, r.reject_media, r.reject_reports from domain_rule($1) r
