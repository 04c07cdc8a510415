-- remove_domain: no longer blocks an e-mail domain, nor those that were blocked as its mail servers.
-- $1 domain text
-- rows: one when it was blocked
-- plan: no sequential scan
delete from email_domain_blocks b where b.domain = $1 returning b.id
