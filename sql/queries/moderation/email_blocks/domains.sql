-- domains: every blocked e-mail domain.
-- rows: one for each, the newest first
-- plan: all of a small table
select b.id, b.domain, b.allow_with_approval, b.parent_id from email_domain_blocks b order by b.id desc
