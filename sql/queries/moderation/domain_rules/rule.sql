-- rule: the rule that applies to a domain: its own or that of the nearest parent domain.
-- $1 domain text
-- rows: at most one; since: the time of the limits that it sets
-- plan: no sequential scan of accounts
select r.id, r.domain, r.severity, r.reject_media, r.reject_reports, r.created_at::text as since from domain_rule($1) r
